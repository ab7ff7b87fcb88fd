import { listQuery } from "../../api/factoids";
import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { useProject } from "../../session/project";
import { counted } from "../../text/format";
import { factoidsApi, setsQuery } from "./api";

interface PublishDraftProps {
  draft: string;
  /** The name of its set. */
  set: string;
  n_factoids: number;
  /** Steps that the server does not have yet. */
  n_waiting?: number;
}

/** Makes a draft of the consensus list the set's next version. */
export function PublishDraft({ draft, set, n_factoids, n_waiting = 0 }: PublishDraftProps) {
  const { id: projectId } = useProject();
  const refresh = useRefresh();
  const publish = () =>
    factoidsApi.publish(draft).finally(async () => {
      await refresh(setsQuery(projectId).queryKey);
      await refresh(listQuery(draft).queryKey);
    });
  return (
    <ConfirmButton
      button="Publish"
      label={`Publish the draft of ${set}`}
      title="Publish the draft as the next version?"
      act="Publish the version"
      blocked={n_waiting > 0}
      onConfirm={publish}
    >
      {n_waiting > 0 && (
        <p className="notice warn">
          {counted(n_waiting, "step")} not saved on the server yet. Wait until all is saved.
        </p>
      )}
      <p>
        It has {counted(n_factoids, "factoid")}. A published version never changes. People can mark it, and
        texts are scored with it.
      </p>
      <p>To change something later, start a draft from it and publish the next version.</p>
    </ConfirmButton>
  );
}
