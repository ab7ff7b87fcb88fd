import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Refusal } from "../../components/Refusal";
import { counted } from "../../text/format";
import { type Evaluation, evaluationApi, evaluationQuery, evaluationsQuery } from "./api";

interface ActProps {
  evaluation: Evaluation;
  projectId: string;
}

function useAct({ evaluation: { id }, projectId }: ActProps) {
  const refresh = useRefresh();
  return (act: Promise<unknown>) =>
    act.finally(() => refresh(evaluationQuery(id).queryKey, evaluationsQuery(projectId).queryKey));
}

/** What can be done in the state that it is in. */
export function Acts(props: ActProps) {
  const { state, n_unanswered } = props.evaluation;
  return (
    <div className="row">
      {(state === "waiting" || state === "running") && <Pause {...props} />}
      {(state === "paused" || state === "failed" || state === "cancelled") && (
        <Resume {...props}>Resume the evaluation</Resume>
      )}
      {state === "done" && n_unanswered > 0 && (
        <Resume {...props}>Ask for {counted(n_unanswered, "missing answer")}</Resume>
      )}
      {(state === "waiting" || state === "running" || state === "paused") && <Cancel {...props} />}
    </div>
  );
}

function Pause(props: ActProps) {
  const act = useAct(props);
  const pausing = useMutation({ mutationFn: () => act(evaluationApi.pause(props.evaluation.id)) });
  return (
    <>
      <button type="button" className="button" disabled={pausing.isPending} onClick={() => pausing.mutate()}>
        Pause the evaluation
      </button>
      <Refusal error={pausing.error} />
    </>
  );
}

function Resume({ children, ...props }: ActProps & { children: ReactNode }) {
  const act = useAct(props);
  const going = useMutation({ mutationFn: () => act(evaluationApi.resume(props.evaluation.id)) });
  return (
    <>
      <button
        type="button"
        className="button primary"
        disabled={going.isPending}
        onClick={() => going.mutate()}
      >
        {children}
      </button>
      <Refusal error={going.error} />
    </>
  );
}

function Cancel(props: ActProps) {
  const act = useAct(props);
  return (
    <ConfirmButton
      button="Cancel the evaluation"
      title="Cancel the evaluation?"
      act="Cancel the evaluation"
      back="Keep it"
      danger
      onConfirm={() => act(evaluationApi.cancel(props.evaluation.id))}
    >
      <p>It stops within seconds. Answers that came are kept, and are never asked for again.</p>
      <p>Resume it later to ask for the rest.</p>
    </ConfirmButton>
  );
}
