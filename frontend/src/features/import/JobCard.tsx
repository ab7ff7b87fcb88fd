import { useEffect, useRef } from "react";
import { Meter } from "../../components/Meter";
import { capitalised, count, counted, duration, moment } from "../../text/format";
import { type ImportError, type ImportJob, type ImportReport, isRunning, type LeftOut } from "./api";
import { ContextNote } from "./ContextNote";
import { Faults } from "./Faults";
import { FIELDS } from "./fields";
import { RowOrderNote } from "./RowOrderNote";
import { UndoImport } from "./UndoImport";

interface JobCardProps {
  job: ImportJob;
  timeZone: string;
  projectId: string;
  /** An older failure was seen, and mended or left: its lines are folded away. */
  isNewest: boolean;
  /** It was begun on this page: it comes into sight, and the keyboard goes to it. */
  isFocused?: boolean;
}

/** One import: where it is, or what came of it. */
export function JobCard({ job, timeZone, projectId, isNewest, isFocused }: JobCardProps) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isFocused) return;
    ref.current?.focus({ preventScroll: true });
    ref.current?.scrollIntoView?.({ block: "center" });
  }, [isFocused]);
  return (
    <article
      ref={ref}
      tabIndex={isFocused ? -1 : undefined}
      className={isRunning(job) ? "card now stack" : "card stack"}
      aria-label={`Import of ${job.filename}`}
    >
      <div className="card-head">
        {isRunning(job) ? <h2>{job.filename}</h2> : <h3>{job.filename}</h3>}
        <span className="small mute">
          {moment(job.created_at, timeZone)}
          {job.created_by ? `, by ${job.created_by}` : ", from the command line"}
        </span>
      </div>
      {isRunning(job) ? <Running job={job} /> : <Outcome job={job} isNewest={isNewest} />}
      <UndoImport job={job} projectId={projectId} timeZone={timeZone} />
    </article>
  );
}

function Running({ job }: { job: ImportJob }) {
  const { step, fraction = 0, rows } = job.progress;
  const words =
    job.state === "queued" ? "Waiting for the import and release worker" : capitalised(step || "at work");
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
  const { report } = job;
  const errors = report?.errors ?? [];
  return (
    <>
      {job.state === "failed" ? (
        <p className="notice bad">
          <b>Nothing was imported.</b> {mendWords(job, errors)}
        </p>
      ) : (
        <>
          {report && <Figures report={report} />}
          {report?.order && <RowOrderNote order={report.order} />}
          {report && <ContextNote report={report} />}
        </>
      )}
      {errors.length > 0 && (
        <Faults errors={errors} total={report?.n_errors ?? errors.length} isOpen={isNewest} />
      )}
    </>
  );
}

/** Skipping lines mends neither a fault of the whole file nor an import that skipped them already. */
function mendWords(job: ImportJob, errors: ImportError[]): string {
  if (errors.length === 0) return "The worker gave no reason.";
  if (job.options.skip_bad_lines || !job.report?.skippable)
    return "Correct what is named below, then import the file again.";
  return "Correct the lines below and import the file again, or choose to skip bad lines.";
}

function Figures({ report }: { report: ImportReport }) {
  const figures: Figure[] = [
    ["Documents", count(report.documents)],
    ["Utterances", count(report.utterances)],
    ["Items kept in the pool", count(report.kept)],
    ["Left out, too short", ...leftOut(report, "too_short")],
    ["Left out, too long", ...leftOut(report, "too_long")],
    ...beside(report),
    ["Bad lines skipped", count(report.skipped_lines)],
    ...readAs(report),
    [
      "Splitter",
      report.splitter ? `${report.splitter.name} ${report.splitter.version}` : "none: rows are items",
    ],
    ["Took", duration(report.seconds)],
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

type Figure = [name: string, value: string, basis?: string];

/** How the file was read, where it is worth saying: a guess may be wrong. */
function readAs({ encoding, existing, mapping }: ImportReport): Figure[] {
  const told = mapping.filter(({ how }) => how !== "named");
  return [
    ...(existing > 0 ? [["Rows already in the project, skipped", count(existing)] as Figure] : []),
    ...(encoding && encoding.how !== "seen"
      ? [["Encoding", encoding.name, encoding.how === "guessed" ? "a guess" : undefined] as Figure]
      : []),
    ...told.map(
      ({ field, column, how }) =>
        [FIELDS[field], column, how === "guessed" ? "column, a guess" : "column"] as Figure,
    ),
  ];
}

/** What most files do not carry is left out where it is not there. */
function beside({ sources, marked_items, marks }: ImportReport): Figure[] {
  const figures: Figure[] = [
    ["Source documents", count(sources)],
    ["Items with marks", count(marked_items), counted(marks, "span")],
  ];
  return figures.filter(([, value]) => value !== "0");
}

function leftOut(report: ImportReport, why: keyof LeftOut): [string, string?] {
  const items = report.left_out[why];
  const rows = report.left_out_utterances[why];
  return items === 0
    ? ["0"]
    : [count(items), `${items === 1 ? "item" : "items"} of ${counted(rows, "utterance")}`];
}
