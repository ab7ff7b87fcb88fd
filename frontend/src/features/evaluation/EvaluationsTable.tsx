import { Link } from "react-router";
import { isUnfinished } from "../../api/jobs";
import type { Project } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { Disclosure } from "../../components/Disclosure";
import { Meter } from "../../components/Meter";
import { TableCard } from "../../components/TableCard";
import { useZone } from "../../session/project";
import { count, counted, moment } from "../../text/format";
import type { Evaluation } from "./api";
import { progressWords, shareDone, stateWords } from "./copy";
import { headlineOf } from "./headline";
import { useSystemTitle } from "./useSystemTitle";

interface EvaluationsTableProps {
  rows: Evaluation[];
  project: Project;
}

/** Evaluations of everything, and trials folded below them. */
export function Evaluations({ rows, project }: EvaluationsTableProps) {
  const trials = rows.filter((row) => row.is_dry_run);
  const whole = rows.filter((row) => !row.is_dry_run);
  return (
    <>
      {whole.length > 0 ? (
        <EvaluationsTable title="All evaluations" rows={whole} project={project} />
      ) : (
        <p>Only trials so far: each asked language models about a few items.</p>
      )}
      {trials.length > 0 && (
        <Disclosure title={counted(trials.length, "trial")}>
          <EvaluationsTable title="Trials" rows={trials} project={project} />
        </Disclosure>
      )}
    </>
  );
}

function EvaluationsTable({ title, rows, project }: EvaluationsTableProps & { title: string }) {
  const zone = useZone();
  return (
    <TableCard title={title}>
      <DataTable
        className="evaluations"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          [
            "Evaluation",
            ({ id, number, name }) => (
              <Link to={`/projects/${project.id}/evaluation/${id}`}>
                {number}. {name}
              </Link>
            ),
            "about",
          ],
          ["State", (row) => <State row={row} />, "state"],
          ["Highest accuracy", (row) => <Headline row={row} />, "about"],
          ["Gold labels", stageWords, "small about"],
          ["Started", ({ created_at }) => moment(created_at, zone), "small nowrap"],
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

function Headline({ row }: { row: Evaluation }) {
  const title = useSystemTitle();
  const lines = headlineOf(row, title);
  if (lines.length === 0) return <span className="mute">–</span>;
  return (
    <ul className="headline small">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
