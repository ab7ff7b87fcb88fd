import { ColumnHeads, number } from "../../components/ColumnHeads";
import { TableScroll } from "../../components/TableCard";
import { count } from "../../text/format";
import type { ImportError } from "./api";

interface FaultsProps {
  errors: ImportError[];
  total: number;
  isOpen: boolean;
}

/** Bad lines with their numbers. */
export function Faults({ errors, total, isOpen }: FaultsProps) {
  const shown = total > errors.length ? `the first ${count(errors.length)} of ${count(total)}` : count(total);
  const title = `What could not be read: ${shown}`;
  return (
    <details className="more" open={isOpen}>
      <summary>{title}</summary>
      <TableScroll title="What could not be read">
        <table className="table" aria-label={title}>
          <ColumnHeads of={[number("Line"), "Field", "What is wrong", "File"]} />
          <tbody>
            {errors.map((error) => (
              <tr key={`${error.file}:${error.line}:${error.field}:${error.message}`}>
                <td className="number">{error.line === null ? "–" : count(error.line)}</td>
                <td>{error.field ? <code>{error.field}</code> : "–"}</td>
                <td>{error.message}</td>
                <td className="mute">{error.file}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </details>
  );
}
