import { useMutation } from "@tanstack/react-query";
import { useRefresh } from "../../api/useRefresh";
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
      {(state === "paused" || state === "failed" || state === "cancelled") && (
        <Act {...props} words="Resume the interpretation" does={interpretationApi.resume} isPrimary />
      )}
      {(state === "waiting" || state === "running" || state === "paused") && <Cancel {...props} />}
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
      <p>It stops at the next safe place, mostly within a minute. What was done is kept.</p>
      <p>Resume it later to go on from there.</p>
    </ConfirmButton>
  );
}
