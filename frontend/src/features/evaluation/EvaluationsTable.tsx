import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Project } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { Meter } from "../../components/Meter";
import { TableCard } from "../../components/TableCard";
import { count, moment } from "../../text/format";
import { type Evaluation, evaluationQuery, isUnfinished } from "./api";
import { progressWords, shareDone, stateWords } from "./copy";
import { headlineOf } from "./headline";
import { useSystemTitle } from "./useSystemTitle";

interface EvaluationsTableProps {
  rows: Evaluation[];
  project: Project;
}

export function EvaluationsTable({ rows, project }: EvaluationsTableProps) {
  return (
    <TableCard title="All evaluations">
      <DataTable
        className="evaluations"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          [
            "Evaluation",
            ({ id, number, name, is_dry_run }) => (
              <>
                <Link to={`/projects/${project.id}/evaluation/${id}`}>
                  {number}. {name}
                </Link>{" "}
                {is_dry_run && <span className="tag">trial</span>}
              </>
            ),
            "about",
          ],
          ["State", (row) => <State row={row} />, "state"],
          ["Highest accuracy", (row) => <Headline row={row} />, "about"],
          ["Gold labels", stageWords, "small about"],
          ["Started", ({ created_at }) => moment(created_at, project.time_zone), "small nowrap"],
        ]}
      />
    </TableCard>
  );
}

function State({ row }: { row: Evaluation }) {
  const hasFailed = row.state === "failed";
  return (
    <>
      {hasFailed ? <span className="tag bad">{stateWords(row)}</span> : stateWords(row)}
      {isUnfinished(row) && (
        <>
          <Meter share={shareDone(row)} />
          <span className="small mute numbers">{progressWords(row)}</span>
        </>
      )}
    </>
  );
}

function stageWords({ stages }: Evaluation): string {
  return stages.map(({ title, n }) => `${title} ${count(n)}`).join(", ");
}

/** Figures do not change once an evaluation is done: each is asked for once. */
function Headline({ row }: { row: Evaluation }) {
  const title = useSystemTitle();
  const isDone = row.state === "done" && !row.is_dry_run;
  const { data } = useQuery({
    ...evaluationQuery(row.id),
    enabled: isDone,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isDone) return <span className="mute">–</span>;
  const lines = data ? headlineOf(data, title) : [];
  return (
    <ul className="headline small">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
