import { type Column, DataTable } from "../../../components/DataTable";
import { TableCard } from "../../../components/TableCard";
import { count } from "../../../text/format";
import type { Instances, Tally } from "../types";

const SPLITS: Record<string, string> = { valid: "validation", test: "test" };

const COLUMNS: Column<Tally>[] = [
  [
    "Evaluation",
    ({ evaluation, annotation }) => (
      <>
        {evaluation} <span className="basis">{annotation}</span>
      </>
    ),
  ],
  ["Split", ({ split }) => SPLITS[split] ?? split],
  ["Spans", ({ spans }) => count(spans), "number"],
  ["Without the part", ({ without_part }) => count(without_part), "number"],
  ["In no class", ({ no_member }) => count(no_member), "number"],
  ["Repeated in a target", ({ repeated }) => count(repeated), "number"],
  ["No other member", ({ alone }) => count(alone), "number"],
  ["True continuations", ({ positives }) => count(positives), "number"],
  ["False ones for each, at most", ({ per_positive }) => count(per_positive), "number"],
  ["True ones with fewer", ({ n_short }) => count(n_short), "number"],
  ["Instances", ({ instances }) => <b>{count(instances)}</b>, "number"],
];

/** What became of the spans of each evaluation. */
export function Tallies({ tallies }: { tallies: readonly Tally[] }) {
  if (tallies.length === 0)
    return (
      <p className="notice">
        No target of the validation or test split is settled, so there are no instances yet.
      </p>
    );
  return (
    <TableCard title="What became of the spans">
      <DataTable
        className="listed"
        rows={tallies}
        keyOf={({ annotation, evaluation, split }) => `${annotation} ${evaluation} ${split}`}
        columns={COLUMNS}
      />
    </TableCard>
  );
}

interface LeftOutProps {
  left: readonly string[];
  evaluations: Instances["evaluations_left_out"];
}

export function LeftOut({ left, evaluations }: LeftOutProps) {
  if (left.length + evaluations.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="left-out">
      <h2 id="left-out">Left out, and why</h2>
      <ul className="reasons line-faults">
        {evaluations.map(({ id, name, reason }) => (
          <li key={id}>
            <b>{name}</b>: {reason}
          </li>
        ))}
        {left.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  );
}
