import type { ReactNode } from "react";
import { type ExportOptions, exportPath } from "../../api/exports";
import type { Project } from "../../api/types";
import { at } from "../../browser/base";
import { counted } from "../../text/format";

const TABLES = [
  { format: "csv", words: "Download CSV" },
  { format: "xlsx", words: "Download Excel" },
] as const;
/** Below the header, as the server knows it. */
const EXCEL_ROWS = 1_048_575;

interface KindCardProps {
  project: Project;
  asked: ExportOptions;
  title: string;
  count?: string | undefined;
  /** What the button calls the kind's own format. */
  format?: string;
  /** Where the kind is written as tables too: no fewer rows than these. */
  rows?: number | undefined;
  isTable?: boolean;
  children: ReactNode;
}

/** One file to download: what its lines hold, and the link. */
export function KindCard({
  project,
  asked,
  title,
  count,
  format = "JSONL",
  rows = 0,
  isTable,
  children,
}: KindCardProps) {
  const tables = isTable ? TABLES : [];
  const isTooLong = tables.length > 0 && rows > EXCEL_ROWS;
  const button = `Download ${format}`;
  return (
    <section className="card export-kind" aria-labelledby={asked.kind}>
      <div className="stack-tight">
        <h2 id={asked.kind}>{title}</h2>
        <p>{children}</p>
        {count && <p className="small mute numbers">{count}</p>}
        {isTooLong && (
          <p className="small mute">
            More rows than an Excel sheet holds ({counted(EXCEL_ROWS, "row")}): take CSV.
          </p>
        )}
      </div>
      <div className="export-links">
        <a
          className="button primary"
          href={at(exportPath(project.id, asked))}
          download
          aria-label={`${button}: ${title}`}
        >
          {button}
        </a>
        {tables
          .filter(({ format }) => format !== "xlsx" || !isTooLong)
          .map(({ format, words }) => (
            <a
              key={format}
              className="button"
              href={at(exportPath(project.id, { ...asked, format }))}
              download
              aria-label={`${words}: ${title}`}
            >
              {words}
            </a>
          ))}
      </div>
    </section>
  );
}
