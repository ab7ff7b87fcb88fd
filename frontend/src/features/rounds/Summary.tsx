import { useQuery } from "@tanstack/react-query";
import { BudgetStat } from "../../activeLearning/BudgetStat";
import { stepSeconds } from "../../activeLearning/roundState";
import { type AgreementRow, agreementQuery, type Rows } from "../../api/agreement";
import type { Round, RoundsPage } from "../../api/rounds";
import type { Project } from "../../api/types";
import { Stat } from "../../components/Stat";
import { bounded, count, counted, duration } from "../../text/format";

interface SummaryProps {
  page: RoundsPage;
  project: Project;
}

/** One question a card: what it cost, whether the labels can be trusted, what the machine took. */
export function Summary({ page, project }: SummaryProps) {
  return (
    <div className="stats">
      <BudgetStat project={project} spent={project.budget_spent} total={project.annotation_budget} />
      <Answered page={page} />
      <Agreement page={page} project={project} />
      <Machine page={page} />
    </div>
  );
}

function Answered({ page }: { page: RoundsPage }) {
  const batches = page.rounds.flatMap((round) => (round.batch ? [round.batch] : []));
  const done = batches.reduce((sum, batch) => sum + batch.done, 0);
  const total = batches.reduce((sum, batch) => sum + batch.total, 0);
  const complete = batches.filter((batch) => batch.complete).length;
  return (
    <Stat title="Assignments done" value={count(done)} of={`of ${count(total)}`}>
      {complete} of {counted(batches.length, "batch", "batches")} complete
    </Stat>
  );
}

const EVERYONES: Rows = { scope: "all", phase: 1, of: "everyone" };

/** Agreement on the stages that the model learns, over all rounds, and in the newest round beside it. */
function Agreement({ page, project }: SummaryProps) {
  const newest = page.rounds.find((round) => round.batch);
  const isOfStages = newest !== undefined && newest.learning_stages.length > 0;
  const { data, error } = useQuery({ ...agreementQuery(project.id, EVERYONES), enabled: isOfStages });
  if (!isOfStages) return null;
  const [first = "", ...others] = newest.learning_stages;
  const titleOf = (key: string) => data?.stages.find((stage) => stage.key === key)?.title ?? key;
  const title = `Agreement, ${newest.learning_stages.map(titleOf).join(", ")}`;
  if (error)
    return (
      <Stat title={title} value="–">
        could not be loaded: {error.message}
      </Stat>
    );
  if (!data)
    return (
      <Stat title={title} value="…">
        loading
      </Stat>
    );
  const rowsOf = (key: string) => data.rows.filter((row) => row.stage === key);
  const overallOf = (key: string) => rowsOf(key).find((row) => row.round === null);
  const overall = overallOf(first);
  return (
    <Stat title={title} value={alphaWords(overall)} isNumber={overall?.alpha_nominal != null}>
      {alphaBasis(overall)}
      {lastWords(rowsOf(first), newest)}
      {others.map((key) => `; ${titleOf(key)}: ${alphaWords(overallOf(key))}, ${alphaBasis(overallOf(key))}`)}
    </Stat>
  );
}

function alphaWords(row: AgreementRow | undefined): string {
  return row && row.alpha_nominal !== null ? `α ${bounded(row.alpha_nominal)}` : "undefined";
}

function alphaBasis(row: AgreementRow | undefined): string {
  if (!row || row.n_items === 0) return "no answers yet";
  if (row.alpha_nominal === null) return row.reason.alpha_nominal ?? "no reason given";
  return `n = ${counted(row.n_units, "item")} with two answers or more`;
}

function lastWords(rows: AgreementRow[], newest: Round): string {
  if (rows.filter((row) => row.round !== null).length < 2) return "";
  const last = rows.find((row) => row.round === newest.number);
  if (!last || last.alpha_nominal === null) return "";
  return `; round ${newest.number}: ${bounded(last.alpha_nominal)}, n = ${count(last.n_units)}`;
}

function Machine({ page }: { page: RoundsPage }) {
  const last = page.rounds.find((round) => round.batch);
  if (!last) return null;
  const train = stepSeconds(last, "train", "training");
  const score = stepSeconds(last, "score", "scoring");
  const parts = [
    train !== null && `training ${duration(train)}`,
    score !== null && `scoring ${duration(score)}`,
  ].filter((part) => part !== false);
  return (
    <Stat title="Machine time" value={duration(last.progress.seconds)}>
      round {last.number}: {parts.length > 0 ? parts.join(", ") : "no model was trained"}
    </Stat>
  );
}
