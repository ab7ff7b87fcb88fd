import { ColumnHeads } from "../../components/ColumnHeads";
import { useProject } from "../../session/project";
import { moment } from "../../text/format";
import type { LogLine } from "./api";

/** The sentences come from the server. */
export function Lines({ lines }: { lines: LogLine[] }) {
  const { time_zone: timeZone } = useProject();
  return (
    <table className="table log">
      <ColumnHeads of={["When", "Who", "What"]} />
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td className="when nowrap">
              <time dateTime={line.at}>{moment(line.at, timeZone)}</time>
            </td>
            <td className={line.person ? "who" : "who mute"}>{line.who}</td>
            <td className="what">{line.sentence}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
