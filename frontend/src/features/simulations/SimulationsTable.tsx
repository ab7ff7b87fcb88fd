import { Link } from "react-router";
import { isUnfinished } from "../../api/jobs";
import type { Project } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { Meter } from "../../components/Meter";
import { TableCard } from "../../components/TableCard";
import { useZone } from "../../session/project";
import { moment } from "../../text/format";
import type { Simulation } from "./api";
import { comparedWords, progressWords, sourceWords, stateWords } from "./copy";

interface SimulationsTableProps {
  rows: Simulation[];
  project: Project;
}

export function SimulationsTable({ rows, project }: SimulationsTableProps) {
  const zone = useZone();
  return (
    <TableCard title="All simulations">
      <DataTable
        className="simulations"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          [
            "Simulation",
            ({ id, name }) => <Link to={`/projects/${project.id}/simulations/${id}`}>{name}</Link>,
          ],
          [
            "State",
            (row) => (
              <>
                {stateWords(row)}
                {isUnfinished(row) && (
                  <>
                    <Meter share={row.progress.fraction} />
                    <span className="small mute numbers">{progressWords(row)}</span>
                  </>
                )}
              </>
            ),
            "state",
          ],
          ["Compared", comparedWords, "about"],
          ["Texts", sourceWords, "small about"],
          ["Started", ({ created_at }) => moment(created_at, zone), "small nowrap"],
        ]}
      />
    </TableCard>
  );
}
