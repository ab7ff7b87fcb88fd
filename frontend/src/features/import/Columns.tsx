import { Notes } from "../../components/Labelled";
import { Select } from "../../components/Select";
import { counted } from "../../text/format";
import type { FoundColumn, ImportPreview, RowField } from "./api";
import { becomesWords, FIELDS, HOW, NEEDED, OTHERS } from "./fields";
import { FORMATS } from "./formats";
import type { Settings } from "./settings";

interface ColumnsProps {
  preview: ImportPreview;
  chosen: Settings["columns"];
  errors: string[] | undefined;
  change: (part: Partial<Settings>) => void;
}

/** Which column of the file is which field of a row, to be changed, and what stays beside the text. */
export function Columns({ preview, chosen, errors, change }: ColumnsProps) {
  const { columns, report, format } = preview;
  if (FORMATS[format].hasOwnFields) return <Found columns={columns} />;
  const uses = Object.fromEntries(report.mapping.map((use) => [use.field, use]));
  const choose = (field: RowField, column: string) => {
    const others = Object.entries(chosen).filter(
      ([name, other]) => name !== field && (!other || other !== column),
    );
    change({ columns: { ...Object.fromEntries(others), [field]: column } });
  };
  const select = (field: RowField) => {
    const use = uses[field];
    const isChosen = chosen[field] !== undefined;
    const column = chosen[field] ?? use?.column ?? "";
    return (
      <Select
        key={field}
        label={FIELDS[field]}
        value={column}
        options={[
          { value: "", text: "No column" },
          ...columns.map(({ name }) => ({ value: name, text: name })),
          ...(column && !columns.some(({ name }) => name === column)
            ? [{ value: column, text: column }]
            : []),
        ]}
        hint={isChosen ? HOW.chosen : use && HOW[use.how]}
        errors={lacking(field, column, preview)}
        onValue={(name) => choose(field, name)}
      />
    );
  };
  const found = OTHERS.filter((field) => uses[field] || chosen[field] !== undefined);
  const rest = columns.filter(({ becomes }) => ["meta", "sources", "spans"].includes(becomes));
  return (
    <section className="stack" aria-labelledby="which-columns">
      <h4 id="which-columns">Which column is what</h4>
      <div className="form-grid">{NEEDED.map(select)}</div>
      {errors && <Notes id="which-columns" errors={errors} />}
      <details className="more" open={found.length > 0 || undefined}>
        <summary>
          Document, speaker, time and others{found.length > 0 && `: ${counted(found.length, "column")}`}
        </summary>
        <div className="form-grid">{OTHERS.map(select)}</div>
      </details>
      {Object.keys(chosen).length > 0 && (
        <div>
          <button type="button" className="button quiet" onClick={() => change({ columns: {} })}>
            Back to what the file shows
          </button>
        </div>
      )}
      {rest.length > 0 && <Found columns={rest} />}
    </section>
  );
}

/** What a field needs that has no column, where it cannot do without. */
function lacking(field: RowField, column: string, { report }: ImportPreview): string[] | undefined {
  if (column || !report.errors.some((error) => error.field === field)) return undefined;
  if (field === "text") return ["Choose the column with the texts."];
  return field === "id" ? ["Choose the column with the ids, or have the rows numbered."] : undefined;
}

function Found({ columns }: { columns: readonly FoundColumn[] }) {
  return (
    <dl className="columns-found" aria-label="Other columns, and what each becomes">
      {columns.map(({ name, becomes }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd className={becomes === "meta" ? "mute" : undefined}>{becomesWords(becomes)}</dd>
        </div>
      ))}
    </dl>
  );
}
