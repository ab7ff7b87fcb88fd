import { Meter } from "../../components/Meter";
import { TableScroll } from "../../components/TableCard";
import { capitalised, count, counted, duration, moment } from "../../components/words";
import { type ImportError, type ImportJob, type ImportReport, isRunning, type LeftOut } from "./api";

interface JobCardProps {
  job: ImportJob;
  timeZone: string;
  /** An older failure was seen, and mended or left: its lines are folded away. */
  isNewest: boolean;
}

/** One import: where it is, or what came of it. */
export function JobCard({ job, timeZone, isNewest }: JobCardProps) {
  return (
    <article
      className={isRunning(job) ? "card now stack" : "card stack"}
      aria-label={`Import of ${job.filename}`}
    >
      <div className="card-head">
        {isRunning(job) ? <h2>{job.filename}</h2> : <h3>{job.filename}</h3>}
        <span className="small mute">{moment(job.created_at, timeZone)}</span>
      </div>
      {isRunning(job) ? <Running job={job} /> : <Outcome job={job} isNewest={isNewest} />}
    </article>
  );
}

function Running({ job }: { job: ImportJob }) {
  const { step, fraction = 0, rows } = job.progress;
  const words = job.state === "queued" ? "Waiting for the light worker" : capitalised(step || "at work");
  return (
    <div className="sending">
      <span className="small numbers">
        {words}
        {rows !== undefined && rows > 0 && `: ${counted(rows, "row")}`}
        {job.state === "running" && ` (${Math.round(100 * fraction)} %)`}
      </span>
      <Meter share={fraction} />
    </div>
  );
}

function Outcome({ job, isNewest }: { job: ImportJob; isNewest: boolean }) {
  const report = job.report ?? {};
  const errors = report.errors ?? [];
  return (
    <>
      {job.state === "failed" ? (
        <p className="notice bad">
          <b>Nothing was imported.</b> {mendWords(job, errors)}
        </p>
      ) : (
        <Figures report={report} />
      )}
      {errors.length > 0 && (
        <Errors errors={errors} total={report.n_errors ?? errors.length} isOpen={isNewest} />
      )}
    </>
  );
}

/** Skipping lines mends neither a fault of the whole file nor an import that skipped them already. */
function mendWords(job: ImportJob, errors: ImportError[]): string {
  if (errors.length === 0) return "The worker gave no reason.";
  if (job.options.skip_bad_lines || errors.some(({ line }) => line === null))
    return "Mend what is named below and import the file again.";
  return "Mend the lines below and import the file again, or choose to skip bad lines.";
}

function Figures({ report }: { report: Partial<ImportReport> }) {
  const skipped = report.skipped_lines ?? 0;
  const figures: [name: string, value: string, basis?: string][] = [
    ["Documents", count(report.documents ?? 0)],
    ["Utterances", count(report.utterances ?? 0)],
    ["Items kept in the pool", count(report.kept ?? 0)],
    ["Left out, too short", ...leftOut(report, "too_short")],
    ["Left out, too long", ...leftOut(report, "too_long")],
    ...beside(report),
    ["Bad lines skipped", count(skipped)],
    [
      "Splitter",
      report.splitter ? `${report.splitter.name} ${report.splitter.version}` : "none: rows are items",
    ],
    ["Took", report.seconds === undefined ? "–" : duration(report.seconds)],
  ];
  return (
    <dl className="figures">
      {figures.map(([name, value, basis]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="numbers">
            {value} {basis && <span className="basis">{basis}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What most files do not carry is left out where it is not there. */
function beside({
  sources = 0,
  marked_items = 0,
  marks = 0,
}: Partial<ImportReport>): [string, string, string?][] {
  const figures: [string, string, string?][] = [
    ["Source documents", count(sources)],
    ["Items with marks", count(marked_items), counted(marks, "span")],
  ];
  return figures.filter(([, value]) => value !== "0");
}

function leftOut(report: Partial<ImportReport>, why: keyof LeftOut): [string, string?] {
  const items = report.left_out?.[why] ?? 0;
  const rows = report.left_out_utterances?.[why] ?? 0;
  return items === 0 ? ["0"] : [count(items), `items of ${counted(rows, "utterance")}`];
}

interface ErrorsProps {
  errors: ImportError[];
  total: number;
  isOpen: boolean;
}

function Errors({ errors, total, isOpen }: ErrorsProps) {
  const shown = total > errors.length ? `the first ${count(errors.length)} of ${count(total)}` : count(total);
  const title = `What could not be read: ${shown}`;
  return (
    <details className="more" open={isOpen}>
      <summary>{title}</summary>
      <TableScroll title="What could not be read">
        <table className="table" aria-label={title}>
          <thead>
            <tr>
              <th scope="col" className="number">
                Line
              </th>
              <th scope="col">Field</th>
              <th scope="col">What is wrong</th>
              <th scope="col">File</th>
            </tr>
          </thead>
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
