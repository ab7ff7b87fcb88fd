import { Link } from "react-router";
import { budgetLeft } from "../../activeLearning/roundSpec";
import { stateWords } from "../../activeLearning/roundState";
import { Stat } from "../../components/Stat";
import { count, counted } from "../../text/format";
import type { Overview } from "./api";
import { strategyOf } from "./copy";

/** One question a card: what there is, what it may cost, what runs, what people should look at. */
export function Figures({ overview }: { overview: Overview }) {
  const { project, given_out, rounds } = overview;
  const left = budgetLeft(project);
  const newest = rounds[0];
  return (
    <div className="stats">
      <Stat title="Pool" value={count(project.pool_size)} of={project.pool_size === 1 ? "item" : "items"}>
        {count(given_out)} given out, {count(project.pool_left)} left; from{" "}
        {counted(project.n_documents, "document")}
      </Stat>
      <Stat
        title="Budget"
        value={count(project.budget_spent)}
        of={project.annotation_budget !== null && `of ${count(project.annotation_budget)}`}
      >
        {left === null ? "items issued; no budget is set" : `items issued, ${count(left)} left`}
      </Stat>
      <Stat title="Round" value={newest ? newest.number : "–"}>
        {newest ? `${strategyOf(newest)}: ${stateWords(newest)}` : "none started yet"}
      </Stat>
      <ToDecide overview={overview} />
    </div>
  );
}

function ToDecide({ overview: { project, waiting } }: { overview: Overview }) {
  const { disagreements, validations } = waiting;
  const to = (screen: string) => `/projects/${project.id}/${screen}`;
  if (disagreements === null && validations === null)
    return (
      <Stat title="To decide" value="–">
        comes with a published codebook
      </Stat>
    );
  return (
    <Stat title="To decide" value={count((disagreements ?? 0) + (validations ?? 0))} of="items">
      {disagreements !== null && (
        <Link to={to("adjudication")}>{count(disagreements)} without a majority</Link>
      )}
      {disagreements !== null && validations !== null && ", "}
      {validations !== null && <Link to={to("validation")}>{count(validations)} to validate</Link>}
    </Stat>
  );
}
