import { DataTable } from "../../components/DataTable";
import { csv, csvLink } from "../../text/csv";
import { count } from "../../text/format";
import type { ImportError } from "./api";

interface FaultsProps {
  errors: ImportError[];
  total: number;
  isOpen: boolean;
}

const SHOWN = 100;

/** Bad lines with their numbers, and a file of all that the report lists. */
export function Faults({ errors, total, isOpen }: FaultsProps) {
  const rows = errors.slice(0, SHOWN);
  const shown = total > rows.length ? `the first ${count(rows.length)} of ${count(total)}` : count(total);
  const title = `What could not be read: ${shown}`;
  return (
    <details className="more" open={isOpen}>
      <summary>{title}</summary>
      <DataTable
        title="What could not be read"
        label={title}
        isHeadless
        rows={rows}
        keyOf={({ file, line, field, message }) => `${file}:${line}:${field}:${message}`}
        columns={[
          ["Line", ({ line }) => (line === null ? "–" : count(line)), "number"],
          ["Field", ({ field }) => (field ? <code>{field}</code> : "–")],
          ["What is wrong", ({ message }) => message],
          ["File", ({ file }) => file, "mute"],
        ]}
      />
      <p className="small">
        <a href={faultsFile(errors)} download="import-faults.csv">
          {total > errors.length ? `The first ${count(errors.length)} as CSV` : "All of them as CSV"}
        </a>
      </p>
    </details>
  );
}

function faultsFile(errors: readonly ImportError[]): string {
  const lines = errors.map(({ file, line, field, message }) => [file, line ?? "", field ?? "", message]);
  return csvLink(csv([["file", "line", "field", "what is wrong"], ...lines]));
}
