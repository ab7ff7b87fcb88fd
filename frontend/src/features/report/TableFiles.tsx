import type { ReportTable } from "./api";

const dataAddress = (mediaType: string, text: string) =>
  `data:${mediaType};charset=utf-8,${encodeURIComponent(text)}`;

/** The table to take away. */
export function TableFiles({ table: { key, title, csv, latex } }: { table: ReportTable }) {
  return (
    <p className="report-files small">
      <a href={dataAddress("text/csv", csv)} download={`${key}.csv`}>
        CSV <span className="visually-hidden">of “{title}”</span>
      </a>
      <a href={dataAddress("application/x-tex", latex)} download={`${key}.tex`}>
        LaTeX <span className="visually-hidden">of “{title}”</span>
      </a>
    </p>
  );
}
