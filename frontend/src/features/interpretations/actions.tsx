import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { useRefresh } from "../../api/useRefresh";
import { useAnnounce } from "../../components/Announcer";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Refusal } from "../../components/Refusal";
import { type Interpretation, interpretationApi, interpretationQuery, interpretationsQuery } from "./api";

interface ActProps {
  interpretation: Interpretation;
  projectId: string;
}

function useAct({ interpretation: { id }, projectId }: ActProps) {
  const refresh = useRefresh();
  return (act: Promise<unknown>) =>
    act.finally(() =>
      refresh(interpretationQuery(projectId, id).queryKey, interpretationsQuery(projectId).queryKey),
    );
}

/** What can be done in the state that it is in. */
export function Acts(props: ActProps) {
  const { state } = props.interpretation;
  return (
    <div className="row">
      {(state === "waiting" || state === "running") && (
        <Act {...props} words="Pause the interpretation" does={interpretationApi.pause} />
      )}
      {(state === "paused" || state === "failed") && (
        <Act {...props} words="Resume the interpretation" does={interpretationApi.resume} isPrimary />
      )}
      {(state === "waiting" || state === "running" || state === "paused") && <Cancel {...props} />}
      {(state === "done" || state === "failed" || state === "cancelled") && <Remove {...props} />}
    </div>
  );
}

interface OneActProps extends ActProps {
  words: string;
  does: (projectId: string, id: string) => Promise<unknown>;
  isPrimary?: boolean;
}

function Act({ words, does, isPrimary, ...props }: OneActProps) {
  const act = useAct(props);
  const doing = useMutation({ mutationFn: () => act(does(props.projectId, props.interpretation.id)) });
  return (
    <>
      <button
        type="button"
        className={isPrimary ? "button primary" : "button"}
        disabled={doing.isPending}
        onClick={() => doing.mutate()}
      >
        {words}
      </button>
      <Refusal error={doing.error} />
    </>
  );
}

function Cancel(props: ActProps) {
  const act = useAct(props);
  return (
    <ConfirmButton
      button="Cancel the interpretation"
      title="Cancel the interpretation?"
      act="Cancel the interpretation"
      back="Keep it"
      danger
      onConfirm={() => act(interpretationApi.cancel(props.projectId, props.interpretation.id))}
    >
      <p>
        It stops for good, mostly within a minute: what was trained and generated so far is deleted. Pause it
        instead to go on later.
      </p>
    </ConfirmButton>
  );
}

function Remove({ interpretation, projectId }: ActProps) {
  const refresh = useRefresh();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const remove = async () => {
    await interpretationApi.remove(projectId, interpretation.id);
    announce(`${interpretation.name} is removed.`);
    await navigate(`/projects/${projectId}/interpretations`);
    await refresh(interpretationsQuery(projectId).queryKey);
  };
  return (
    <ConfirmButton
      button="Remove the interpretation"
      className="button quiet"
      title={`Remove “${interpretation.name}”?`}
      act="Remove it with its files"
      back="Keep it"
      danger
      onConfirm={remove}
    >
      <p>
        Its data, figures, texts, tables and plots are deleted from this server. This cannot be undone:
        download first what you need. The log keeps its name.
      </p>
    </ConfirmButton>
  );
}
