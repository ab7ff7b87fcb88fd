import { Link } from "react-router";
import { isUnfinished } from "../../api/jobs";
import type { Project } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { Meter } from "../../components/Meter";
import { TableCard } from "../../components/TableCard";
import { useZone } from "../../session/project";
import { moment } from "../../text/format";
import type { Interpretation } from "./api";
import { headlineOf, progressWords, stateWords } from "./copy";

export function InterpretationsTable({ rows, project }: { rows: Interpretation[]; project: Project }) {
  const zone = useZone();
  return (
    <TableCard title="All interpretations">
      <DataTable
        className="interpretations"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          [
            "Interpretation",
            ({ id, number, name }) => (
              <Link to={`/projects/${project.id}/interpretations/${id}`}>
                {number}. {name}
              </Link>
            ),
            "about",
          ],
          ["State", (row) => <State row={row} />, "state"],
          ["Main figures", (row) => <Headline row={row} />, "about"],
          ["Started by", ({ created_by }) => created_by, "small"],
          ["Started", ({ created_at }) => moment(created_at, zone), "small nowrap"],
        ]}
      />
    </TableCard>
  );
}

function State({ row }: { row: Interpretation }) {
  return (
    <>
      {row.state === "failed" ? <span className="tag bad">{stateWords(row)}</span> : stateWords(row)}
      {isUnfinished(row) && (
        <>
          <Meter share={row.progress.fraction} />
          <span className="small mute numbers">{progressWords(row.progress)}</span>
        </>
      )}
    </>
  );
}

function Headline({ row }: { row: Interpretation }) {
  const lines = headlineOf(row);
  if (lines.length === 0) return <span className="mute">–</span>;
  return (
    <ul className="plain-list small">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
