import { useState } from "react";
import { Field } from "../../components/Field";
import { Select } from "../../components/Select";
import type { Column } from "./api";

/** As many as the server takes. */
const MOST = 5;

interface ColumnFiltersProps {
  columns: readonly Column[];
  values: readonly string[];
  onValues: (values: string[]) => void;
}

/** Values that imported columns must have, each to be taken away again. */
export function ColumnFilters({ columns, values, onValues }: ColumnFiltersProps) {
  const [path, setPath] = useState(JSON.stringify(columns[0]?.path));
  const [value, setValue] = useState("");
  const example = columns.find((column) => JSON.stringify(column.path) === path)?.example;
  const add = () => {
    const asked = JSON.stringify([...(JSON.parse(path) as string[]), value]);
    if (!values.includes(asked)) onValues([...values, asked]);
    setValue("");
  };
  return (
    <fieldset className="choices">
      <legend>Imported columns</legend>
      {values.length > 0 && (
        <ul className="row items-columns">
          {values.map((each) => (
            <li key={each}>
              <button
                type="button"
                className="button"
                aria-label={`Take away: ${wordsOf(each, columns)}`}
                onClick={() => onValues(values.filter((other) => other !== each))}
              >
                {wordsOf(each, columns)} <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {values.length < MOST && (
        <div className="items-column">
          <Select
            label="Column"
            value={path}
            options={columns.map((column) => ({ value: JSON.stringify(column.path), text: column.name }))}
            onValue={setPath}
          />
          <Field
            label="Its value"
            value={value}
            maxLength={500}
            hint={example ? `Such as ${example}` : undefined}
            onValue={setValue}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
              // Else it would send the form around this, without the value.
              event.preventDefault();
              if (value !== "") add();
            }}
          />
          <button type="button" className="button" disabled={value === ""} onClick={add}>
            Add
          </button>
        </div>
      )}
    </fieldset>
  );
}

/** "party: Labour"; what somebody wrote into the address by hand stays as it is. */
function wordsOf(asked: string, columns: readonly Column[]): string {
  try {
    const parts = JSON.parse(asked) as string[];
    const path = JSON.stringify(parts.slice(0, -1));
    const name = columns.find((column) => JSON.stringify(column.path) === path)?.name;
    return `${name ?? parts.slice(0, -1).join(": ")}: ${parts.at(-1)}`;
  } catch {
    return asked;
  }
}
