import { useMutation, useQueryClient } from "@tanstack/react-query";
import { BatchRest } from "../../activeLearning/BatchRest";
import { CheckResults } from "../../activeLearning/CheckResults";
import { People } from "../../activeLearning/People";
import { RoundFigures } from "../../activeLearning/RoundFigures";
import { isByAdmin, shownSteps, stateWords, strategyWords } from "../../activeLearning/roundState";
import { isMachine, type Round, type RoundsPage, roundsApi, roundsQuery } from "../../api/rounds";
import type { Workers } from "../../api/types";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Disclosure } from "../../components/Disclosure";
import { Meter } from "../../components/Meter";
import { Refusal } from "../../components/Refusal";
import { count, duration } from "../../text/format";
import { Suggestions } from "./Suggestions";

interface NowCardProps {
  round: Round;
  page: RoundsPage;
  projectId: string;
}

/** The round that holds the project's place: at work, open, or failed. */
export function NowCard({ round, page, projectId }: NowCardProps) {
  return (
    <section className="card now stack" aria-labelledby="now">
      <div className="now-head">
        <div>
          <h2 id="now">
            Round {round.number} · {strategyWords(page.strategies, round).toLowerCase()}
          </h2>
          <p className="small mute">{aboutWords(round, page)}</p>
        </div>
        <ol className="steps" aria-label="Steps">
          {shownSteps(round).map((step) => (
            <li key={step.name} className={step.state} aria-current={step.state === "running" || undefined}>
              <Meter share={step.share} />
              {step.words}
              <span className="visually-hidden">{stepStateWords(step.state, step.share)}</span>
            </li>
          ))}
        </ol>
        {mayCancel(round) && <CancelRound round={round} projectId={projectId} />}
      </div>
      {isMachine(round) && <WorkerGone workers={page.workers} />}
      {round.notices.map((notice) => (
        <p key={notice} className="notice warn">
          {notice}
        </p>
      ))}
      {round.state === "failed" && <FailedRound round={round} projectId={projectId} />}
      {round.batch && <People people={round.annotators} />}
      {round.batch && (
        <BatchRest name={`round ${round.number}`} batch={round.batch} projectId={projectId} canBeCancelled />
      )}
      {round.batch && <CheckResults name={`round ${round.number}`} batch={round.batch} />}
      {round.batch && round.state === "annotating" && <Suggestions batchId={round.batch.id} />}
      {round.batch && round.learning_stages.length > 0 && (
        <Disclosure title="Results so far">
          <RoundFigures projectId={projectId} roundId={round.id} />
        </Disclosure>
      )}
    </section>
  );
}

function aboutWords(round: Round, page: RoundsPage): string {
  const model = page.models.find((offered) => offered.name === round.model)?.title ?? round.model;
  const parts = [
    round.model === "none" ? "no model" : model,
    isByAdmin(round) ? "" : `random seed ${round.random_state}`,
    ...drawWords(round),
    round.attempt > 1 ? `attempt ${round.attempt}` : "",
    isMachine(round)
      ? `${stateWords(round)}, started ${duration(round.progress.seconds)} ago`
      : progressWords(round),
  ];
  return parts.filter(Boolean).join(" · ");
}

function drawWords({ random_share, no_duplicate_texts, learning_rate }: Round): string[] {
  return [
    random_share > 0 ? `${Math.round(random_share * 100)} % drawn at random` : "",
    no_duplicate_texts ? "no text twice" : "",
    learning_rate === null ? "" : `learning rate ${learning_rate}`,
  ];
}

function progressWords({ batch, state }: Round): string {
  return batch && state === "annotating"
    ? `${count(batch.done)} of ${count(batch.total)} assignments done`
    : "";
}

function stepStateWords(state: "waiting" | "running" | "done", share: number): string {
  return state === "running" ? ` (running, ${Math.round(100 * share)} %)` : ` (${state})`;
}

function WorkerGone({ workers }: { workers: Workers }) {
  const { alive, seen_seconds_ago: seen } = workers.models;
  if (alive) return null;
  return (
    <p className="notice bad" role="alert">
      The model worker has stopped ({seen === null ? "never seen" : `last seen ${duration(seen)} ago`}). Start
      it again: the round then goes on by itself from its last finished step.
    </p>
  );
}

function useRoundAct(projectId: string, act: (id: string) => Promise<Round>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => client.invalidateQueries({ queryKey: roundsQuery(projectId).queryKey }),
  });
}

/** Until the first answer, an open batch can be taken back. */
function mayCancel(round: Round): boolean {
  return isMachine(round) || (round.state === "annotating" && round.batch?.done === 0);
}

function CancelRound({ round, projectId }: { round: Round; projectId: string }) {
  const cancel = useRoundAct(projectId, roundsApi.cancel);
  return (
    <ConfirmButton
      button="Cancel the round"
      className="button quiet"
      title={`Cancel round ${round.number}?`}
      act={`Cancel round ${round.number}`}
      danger
      onConfirm={() => cancel.mutateAsync(round.id)}
    >
      <p>
        {isMachine(round)
          ? "What it has trained and scored so far is dropped. "
          : "Nobody has answered yet: its items go back into the pool. "}
        Every label stays, no item is used up, and a new round can be started at once.
      </p>
    </ConfirmButton>
  );
}

function FailedRound({ round, projectId }: { round: Round; projectId: string }) {
  const restart = useRoundAct(projectId, roundsApi.restart);
  return (
    <>
      <div className="notice bad" role="alert">
        <p>
          <b>
            Round {round.number} {stateWords(round)}.
          </b>
        </p>
        <p className="failure">{round.failure || "The worker gave no reason."}</p>
      </div>
      <p className="small mute">
        No label is lost. Remove the cause and restart it: it goes on from its last finished step. Or cancel
        it and start another round.
      </p>
      <Refusal error={restart.error} />
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={restart.isPending}
          onClick={() => restart.mutate(round.id)}
        >
          Restart round {round.number}
        </button>
        <CancelRound round={round} projectId={projectId} />
      </div>
    </>
  );
}
