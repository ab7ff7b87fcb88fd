import { Link } from "react-router";
import type { Project } from "../../api/types";
import { ColumnHeads } from "../../components/ColumnHeads";
import { Meter } from "../../components/Meter";
import { TableCard } from "../../components/TableCard";
import { moment } from "../../text/format";
import { isUnfinished, type Simulation } from "./api";
import { comparedWords, progressWords, sourceWords, stateWords } from "./copy";

interface SimulationsTableProps {
  rows: Simulation[];
  project: Project;
}

export function SimulationsTable({ rows, project }: SimulationsTableProps) {
  return (
    <TableCard title="All simulations">
      <table className="table simulations">
        <ColumnHeads of={["Simulation", "State", "Compared", "Texts", "Started"]} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <Link to={`/projects/${project.id}/simulations/${row.id}`}>{row.name}</Link>
              </th>
              <td className="state">
                {stateWords(row)}
                {isUnfinished(row) && (
                  <>
                    <Meter share={row.progress.fraction} />
                    <span className="small mute numbers">{progressWords(row)}</span>
                  </>
                )}
              </td>
              <td className="about">{comparedWords(row)}</td>
              <td className="small about">{sourceWords(row)}</td>
              <td className="small nowrap">{moment(row.created_at, project.time_zone)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableCard>
  );
}
