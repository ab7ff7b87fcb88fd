import { StrategyFields } from "../../activeLearning/StrategyFields";
import type { Strategy } from "../../api/rounds";
import { Field } from "../../components/Field";
import { Select } from "../../components/Select";

import { type CaseRow, type PartProps, shownKeys } from "./spec";

/** What is compared: each row a strategy with its options under a name. */
export function CasesFields({ choices, spec, errors, change }: PartProps) {
  const keys = shownKeys(spec.cases);
  const replace = (number: number, part: Partial<CaseRow>) =>
    change({ cases: spec.cases.map((row) => (row.row === number ? { ...row, ...part } : row)) });
  const add = () => {
    const unused = choices.strategies.find(({ name }) => !spec.cases.some((row) => row.name === name));
    const name = (unused ?? choices.strategies.at(-1))?.name ?? "";
    const row = Math.max(0, ...spec.cases.map((each) => each.row)) + 1;
    change({ cases: [...spec.cases, { row, name, key: "", options: {} }] });
  };
  return (
    <fieldset className="choices cases" aria-describedby={errors.strategies ? "cases-error" : undefined}>
      <legend>What is compared</legend>
      {spec.cases.map((row, place) => (
        <CaseFields
          key={row.row}
          row={row}
          number={place + 1}
          shown={keys[place] ?? ""}
          strategies={choices.strategies}
          errors={own(errors, place)}
          onChange={(part) => replace(row.row, part)}
          onRemove={
            spec.cases.length > 1
              ? () => change({ cases: spec.cases.filter((each) => each.row !== row.row) })
              : undefined
          }
        />
      ))}
      {errors.strategies && (
        <span className="error" id="cases-error">
          {errors.strategies.join(" ")}
        </span>
      )}
      {spec.cases.length < choices.limits.strategies && (
        <div className="row">
          <button type="button" className="button" onClick={add}>
            Add a strategy
          </button>
          <span className="small mute">
            The same strategy may stand there several times, with other options.
          </span>
        </div>
      )}
    </fieldset>
  );
}

/** "strategies[1].options.k" -> "options.k", of this row. */
function own(errors: Record<string, string[]>, place: number): Record<string, string[]> {
  const prefix = `strategies[${place}].`;
  return Object.fromEntries(
    Object.entries(errors)
      .filter(([field]) => field.startsWith(prefix))
      .map(([field, said]) => [field.slice(prefix.length), said]),
  );
}

interface CaseFieldsProps {
  row: CaseRow;
  number: number;
  shown: string;
  strategies: Strategy[];
  errors: Record<string, string[]>;
  onChange: (part: Partial<CaseRow>) => void;
  onRemove: (() => void) | undefined;
}

function CaseFields({ row, number, shown, strategies, errors, onChange, onRemove }: CaseFieldsProps) {
  const strategy = strategies.find(({ name }) => name === row.name);
  const faulty = Object.keys(errors).some((field) => field.startsWith("options."));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would be announced twice.
    <div className="case stack" role="group" aria-label={`Strategy ${number}`}>
      <div className="case-head">
        <Select
          label="Strategy"
          value={row.name}
          options={strategies.map(({ name, title }) => ({ value: name, text: title }))}
          errors={errors.name}
          onValue={(name) => onChange({ name, options: {} })}
        />
        <Field
          label="Its name in the results"
          value={row.key}
          placeholder={shown}
          errors={errors.key}
          onValue={(key) => onChange({ key })}
        />
        {onRemove && (
          <button type="button" className="button quiet" onClick={onRemove}>
            Remove<span className="visually-hidden"> {shown}</span>
          </button>
        )}
      </div>
      {strategy && strategy.options.length > 0 && (
        <details className="more" open={faulty || Object.keys(row.options).length > 0 || undefined}>
          <summary>
            Options<span className="visually-hidden"> of {shown}</span>
          </summary>
          <StrategyFields
            strategy={strategy}
            values={row.options}
            errors={errors}
            onOption={(name, value) => {
              const { [name]: _, ...others } = row.options;
              onChange({ options: value === undefined ? others : { ...others, [name]: value } });
            }}
          />
        </details>
      )}
    </div>
  );
}
