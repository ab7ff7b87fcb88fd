import { useQuery } from "@tanstack/react-query";
import { BudgetStat } from "../../activeLearning/BudgetStat";
import { stepSeconds } from "../../activeLearning/roundState";
import {
  type AgreementPage,
  type AgreementRow,
  agreementQuery,
  fitting,
  type Rows,
} from "../../api/agreement";
import type { RoundsPage } from "../../api/rounds";
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
  const overallOf = (key: string) => figureOf(data, rowsOf(key), null);
  const overall = overallOf(first);
  const last = rowsOf(first).length > 2 ? figureOf(data, rowsOf(first), newest.number) : null;
  return (
    <Stat title={title} value={overall.words} isNumber={overall.value !== null}>
      {overall.basis}
      {last?.value != null && `; round ${newest.number}: ${bounded(last.value)}, n = ${count(last.n)}`}
      {others.map((key) => `; ${titleOf(key)}: ${overallOf(key).words}, ${overallOf(key).basis}`)}
    </Stat>
  );
}

/** The coefficient that fits the stage, in one round or in all, and what it stands on. */
function figureOf(page: AgreementPage, rows: readonly AgreementRow[], round: number | null) {
  const row = rows.find((each) => each.round === round);
  if (!row || row.n_items === 0) return { value: null, words: "undefined", basis: "no answers yet", n: 0 };
  const { title, value, reason } = fitting(page, row) ?? { title: "", value: null, reason: "free text" };
  if (value === null)
    return { value, words: "undefined", basis: reason ?? "no reason given", n: row.n_units };
  const basis = `n = ${counted(row.n_units, "item")} with two answers or more`;
  return { value, words: `${title} ${bounded(value)}`, basis, n: row.n_units };
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
