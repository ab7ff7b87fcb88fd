import { useEffect, useRef } from "react";
import { errorWords } from "../../api/errors";
import { bindFields } from "../../components/bindFields";
import { type Column, DataTable } from "../../components/DataTable";
import { MetaList } from "../../components/MetaList";
import { Select } from "../../components/Select";
import { count, counted, percent } from "../../text/format";
import type { ImportPreview, PreviewItem } from "./api";
import { Columns } from "./Columns";
import { ContextNote } from "./ContextNote";
import { Faults } from "./Faults";
import { RowOrderNote } from "./RowOrderNote";
import { SpanLabels } from "./SpanLabels";
import { DELIMITERS, ENCODINGS, type Settings } from "./settings";

interface PreviewProps {
  fileName: string;
  preview: ImportPreview | undefined;
  /** What the server said instead, beside the messages at fields. */
  error: unknown;
  /** false: it is being read anew. */
  isCurrent: boolean;
  settings: Settings;
  errors: Record<string, string[]>;
  change: (part: Partial<Settings>) => void;
}

/** What an import of the chosen file would bring, and how it is read. Nothing is stored by it. */
export function Preview({ fileName, preview, error, isCurrent, settings, errors, change }: PreviewProps) {
  const ref = useRef<HTMLElement>(null);
  const isThere = preview !== undefined;
  useEffect(() => {
    if (isThere && fileName) ref.current?.scrollIntoView?.({ block: "nearest" });
  }, [isThere, fileName]);
  return (
    <section className="preview stack" aria-labelledby="preview" ref={ref} aria-busy={!isCurrent}>
      <div className="card-head">
        <h3 id="preview">Preview of the import</h3>
        <span className="small mute" role="status">
          {isCurrent || error ? "Nothing is stored yet." : `Reading ${fileName}`}
        </span>
      </div>
      {Boolean(error) && (
        <p className="notice bad" role="alert">
          There is no preview. {errorWords(error)}
        </p>
      )}
      {preview && <Summary preview={preview} settings={settings} change={change} />}
      <ReadAs preview={preview} settings={settings} errors={errors} change={change} />
      {preview && preview.columns.length > 0 && (
        <Columns preview={preview} chosen={settings.columns} errors={errors.columns} change={change} />
      )}
      {preview && preview.labels.length > 0 && (
        <SpanLabels
          preview={preview}
          chosen={settings.categories}
          errors={errors.categories}
          change={(categories) => change({ categories })}
        />
      )}
      {preview && preview.first.length > 0 && <First items={preview.first} />}
    </section>
  );
}

type SummaryProps = Pick<PreviewProps, "settings" | "change"> & { preview: ImportPreview };

function Summary({ preview, settings, change }: SummaryProps) {
  const { report, in_project, whole, rows } = preview;
  const existing = in_project > 0 && !settings.skipExisting;
  return (
    <>
      {!whole && (
        <p className="notice">
          The file is large: this is what its first {counted(rows, "row")} would bring. The import reads all
          of it.
        </p>
      )}
      {report.items > 0 && <Counts preview={preview} />}
      {!preview.imports && (
        <p className="notice bad">
          <b>Nothing would be imported</b>{" "}
          {report.skippable
            ? `while ${counted(report.n_errors, "line")} cannot be imported as they are.`
            : "as it is."}
        </p>
      )}
      {preview.imports && report.skipped_lines > 0 && (
        <p className="notice">{counted(report.skipped_lines, "bad line")} would be skipped.</p>
      )}
      {report.existing > 0 && (
        <p className="notice">
          {counted(report.existing, "row")} would be skipped, because the project already has their ids.
        </p>
      )}
      <div className="row">
        {existing && (
          <button type="button" className="button" onClick={() => change({ skipExisting: true })}>
            Skip the {counted(in_project, "row")} that the project has
          </button>
        )}
        {report.skippable && !settings.skipBadLines && report.n_errors > (existing ? in_project : 0) && (
          <button type="button" className="button" onClick={() => change({ skipBadLines: true })}>
            Skip bad lines
          </button>
        )}
        {!settings.numberRows && report.errors.some(({ field }) => field === "id") && !existing && (
          <button type="button" className="button" onClick={() => change({ numberRows: true })}>
            Number rows without an id
          </button>
        )}
      </div>
      {report.errors.length > 0 && <Faults errors={report.errors} total={report.n_errors} isOpen />}
    </>
  );
}

/** Items, and what limits would leave out of the pool, by the rows that they stand in. */
function Counts({ preview: { report, estimated } }: { preview: ImportPreview }) {
  const { left_out, left_out_utterances: rows, limits } = report;
  const out = left_out.too_short + left_out.too_long;
  const reasons = [
    rows.too_long > 0 &&
      `${counted(rows.too_long, "row")} of more than ${count(limits?.max_tokens ?? 0)} words`,
    rows.too_short > 0 &&
      `${counted(rows.too_short, "row")} of fewer than ${count(limits?.min_tokens ?? 0)} words`,
  ].filter(Boolean);
  return (
    <>
      <p>
        <b className="numbers">
          {estimated && "About "}
          {counted(report.items, "item")}
        </b>{" "}
        from {counted(report.utterances, "row")} of {counted(report.documents, "document")}
        {out > 0
          ? `; ${estimated ? "about " : ""}${count(report.kept)} of them for the pool.`
          : ", all for the pool."}
      </p>
      {out > 0 && (
        <p className="notice">
          {percent(out / report.items)} would be left out of the pool and stay as context:{" "}
          {reasons.join(", and ")}.
        </p>
      )}
      {report.order && <RowOrderNote order={report.order} />}
      <ContextNote report={report} />
    </>
  );
}

const HOW = {
  asked: "As you chose.",
  marked: "The file says so.",
  seen: "Seen in the file.",
  guessed: "This is a guess. Check that the letters below are right.",
};

function ReadAs({
  preview,
  settings,
  errors,
  change,
}: Omit<PreviewProps, "fileName" | "error" | "isCurrent">) {
  const encoding = preview?.report.encoding;
  const delimiter = preview?.report.delimiter;
  const named = (options: readonly { value: string; text: string }[], name: string) =>
    options.find(({ value }) => value === name)?.text ?? name;
  const known = [
    ...ENCODINGS,
    ...(settings.encoding && !ENCODINGS.some(({ value }) => value === settings.encoding)
      ? [{ value: settings.encoding, text: settings.encoding }]
      : []),
  ];
  const told = (what: string | undefined) => (what ? `As the file shows: ${what}` : "As the file shows");
  const field = bindFields(settings, errors, change);
  const isText = !preview || encoding || settings.encoding;
  const { sheet = null, sheets = [] } = preview?.report ?? {};
  return (
    <div className="form-grid">
      {isText && (
        <Select
          label="Encoding"
          options={[
            {
              value: "",
              text: told(!settings.encoding && encoding ? named(known, encoding.name) : undefined),
            },
            ...known,
          ]}
          hint={encoding ? HOW[encoding.how] : undefined}
          {...field("encoding")}
        />
      )}
      {(sheets.length > 1 || settings.sheet) && (
        <Select
          label="Sheet"
          options={[
            { value: "", text: settings.sheet || !sheet ? "The first one" : `The first one: ${sheet}` },
            ...[...new Set([...sheets, ...(settings.sheet ? [settings.sheet] : [])])].map((title) => ({
              value: title,
              text: title,
            })),
          ]}
          {...field("sheet")}
          // Another sheet has columns of its own.
          onValue={(title) => change({ sheet: title, columns: {} })}
        />
      )}
      {(delimiter || settings.delimiter !== "auto") && (
        <Select
          label="Cells are separated by"
          options={[
            {
              value: "auto",
              text: told(
                settings.delimiter === "auto" && delimiter ? named(DELIMITERS, delimiter) : undefined,
              ),
            },
            ...DELIMITERS,
          ]}
          {...field("delimiter")}
        />
      )}
    </div>
  );
}

function First({ items }: { items: readonly PreviewItem[] }) {
  const title = "The first items";
  const speakers = items.some(({ speaker }) => speaker);
  const beside = items.some(({ meta }) => Object.keys(meta).length > 0);
  return (
    <DataTable
      title={title}
      caption={title}
      className="preview-items"
      isHeadless
      rows={items}
      keyOf={({ id }) => id}
      columns={[
        ["Id", ({ id }) => id, "id"],
        [
          "Text",
          ({ text, left_out, is_cut }) => (
            <div dir="auto">
              {left_out && <span className="tag">{left_out === "too_long" ? "too long" : "too short"}</span>}{" "}
              {text}
              {is_cut && " …"}
            </div>
          ),
          "text",
        ],
        ...(speakers ? [SPEAKER] : []),
        ...(beside ? [BESIDE] : []),
      ]}
    />
  );
}

const SPEAKER: Column<PreviewItem> = ["Speaker", ({ speaker }) => <div dir="auto">{speaker || "–"}</div>];
const BESIDE: Column<PreviewItem> = [
  "Beside it",
  ({ meta }) => <MetaList fields={Object.entries(meta).map(([name, value]) => ({ name, value }))} />,
];
