import { DataTable } from "../../components/DataTable";
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
      <DataTable
        title="What could not be read"
        label={title}
        isHeadless
        rows={errors}
        keyOf={({ file, line, field, message }) => `${file}:${line}:${field}:${message}`}
        columns={[
          ["Line", ({ line }) => (line === null ? "–" : count(line)), "number"],
          ["Field", ({ field }) => (field ? <code>{field}</code> : "–")],
          ["What is wrong", ({ message }) => message],
          ["File", ({ file }) => file, "mute"],
        ]}
      />
    </details>
  );
}
