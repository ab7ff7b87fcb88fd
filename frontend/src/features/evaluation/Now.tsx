import { useQuery } from "@tanstack/react-query";
import { isUnfinished } from "../../api/jobs";
import { workersQuery } from "../../api/queries";
import type { Project } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { Meter } from "../../components/Meter";
import { modelWorkerAway } from "../../components/modelWorker";
import { capitalised, count, duration } from "../../text/format";
import { Acts } from "./actions";
import type { EvaluationDetail, SystemProgress } from "./api";
import { moneyWords, progressWords, shareDone, stateWords } from "./copy";
import { useSystemTitle } from "./useSystemTitle";

interface NowProps {
  evaluation: EvaluationDetail;
  project: Project;
}

/** Where it is, and what can be done about it. */
export function Now({ evaluation, project }: NowProps) {
  return (
    <section className="card now stack" aria-labelledby="now">
      <div className="card-head">
        <h2 id="now">{capitalised(stateWords(evaluation))}</h2>
        <span className="small numbers">{progressWords(evaluation)}</span>
      </div>
      <Meter share={shareDone(evaluation)} />
      <Where evaluation={evaluation} project={project} />
      <ProgressTable systems={evaluation.progress.systems} isStopped={!isUnfinished(evaluation)} />
      <Acts evaluation={evaluation} projectId={project.id} />
    </section>
  );
}

function Where({ evaluation, project }: NowProps) {
  if (isUnfinished(evaluation)) return <Going evaluation={evaluation} project={project} />;
  if (evaluation.state === "failed") return <Failed failure={evaluation.failure} />;
  if (evaluation.state === "paused")
    return <p>It is paused. Answers that came are kept. Nothing is asked until you resume it.</p>;
  return <p>It was cancelled. Answers that came are kept. Resume it to ask for the rest.</p>;
}

function Going({ evaluation, project }: NowProps) {
  const { data: workers } = useQuery(workersQuery(project.id));
  const away = workers && modelWorkerAway(workers, "evaluations");
  if (away)
    return (
      <p className="notice bad" role="alert">
        {away} Start it again: the evaluation then goes on by itself.
      </p>
    );
  const words =
    evaluation.progress.detail ||
    (evaluation.state === "waiting" ? "It begins as soon as the model worker is free. Rounds go first." : "");
  const told = words && `${capitalised(words).replace(/\.$/, "")}.`;
  return <p className="small mute">{told} You need not wait here: it goes on without this page.</p>;
}

function Failed({ failure }: { failure: string }) {
  return (
    <div className="notice bad stack-tight" role="alert">
      <p className="failure">{failure}</p>
      <p>
        Correct what it names, then resume the evaluation. Answers that came are kept, and not paid again.
      </p>
    </div>
  );
}

interface ProgressTableProps {
  systems: readonly SystemProgress[];
  /** Nothing is asked now, so that no time is left. */
  isStopped?: boolean;
}

/** What each system has answered, and what became of the answers. */
export function ProgressTable({ systems, isStopped = false }: ProgressTableProps) {
  const title = useSystemTitle();
  if (systems.length === 0) return null;
  const asked = systems.some(({ tokens_in }) => tokens_in > 0);
  return (
    <DataTable
      title="Progress of each system"
      rows={systems}
      keyOf={({ name }) => name}
      columns={[
        ["System", ({ name }) => title(name)],
        ["Answered", ({ answered, total }) => `${count(answered)} of ${count(total)}`, "number nowrap"],
        ["Refused", ({ refused }) => count(refused), "number"],
        ["Not compliant", ({ not_compliant }) => count(not_compliant), "number"],
        ["Failed requests", ({ failed_requests }) => count(failed_requests), "number"],
        ...(asked
          ? ([
              ["Tokens in", ({ tokens_in }: SystemProgress) => count(tokens_in), "number"],
              ["Tokens out", ({ tokens_out }: SystemProgress) => count(tokens_out), "number"],
              ["Cost", costWords, "number nowrap"],
            ] as const)
          : []),
        ...(isStopped ? [] : ([["Time left", leftWords, "number nowrap"]] as const)),
      ]}
    />
  );
}

function costWords({ tokens_in, cost, currency }: SystemProgress): string {
  return tokens_in === 0 && !cost ? "–" : moneyWords(cost, currency);
}

function leftWords({ answered, total, seconds_left }: SystemProgress): string {
  if (answered >= total) return "none";
  return seconds_left === null ? "not known yet" : `about ${duration(Math.max(1, Math.round(seconds_left)))}`;
}
