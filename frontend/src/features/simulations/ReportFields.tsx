import { bindFields } from "../../components/bindFields";
import { RadioChoices } from "../../components/Choices";
import { Field } from "../../components/Field";
import { Labelled } from "../../components/Labelled";
import { Select } from "../../components/Select";
import {
  baselineShown,
  type PartProps,
  type PartRow,
  partsOf,
  phrasesOf,
  primaryChoices,
  primaryPartShown,
  primaryShown,
} from "./spec";

/** What is compared in the end: one comparison named beforehand, parts of the test items, and a string test. */
export function ReportFields(part: PartProps) {
  const { spec, errors } = part;
  const begun = primaryShown(spec) !== "" || partsOf(spec).length > 0 || phrasesOf(spec).length > 0;
  const faulty = Object.keys(errors).some((field) => /^(primary|parts|string_test)/.test(field));
  return (
    <details className="more" open={faulty || begun || undefined}>
      <summary>What the results compare</summary>
      <div className="stack">
        <PrimaryFields {...part} />
        {spec.kind === "upload" && <PartsFields {...part} />}
        <StringTestFields {...part} />
      </div>
    </details>
  );
}

function PrimaryFields({ spec, errors, change }: PartProps) {
  const baseline = baselineShown(spec);
  const names = partsOf(spec).flatMap(({ key }) => (key.trim() ? [key.trim()] : []));
  return (
    <div className="form-grid">
      <Select
        label="Primary comparison"
        value={primaryShown(spec)}
        options={[
          { value: "", text: "none is named" },
          ...primaryChoices(spec).map((key) => ({ value: key, text: `${key} − ${baseline}` })),
        ]}
        hint="The one that is decided on before the run, by the area under the curve. All others are then exploratory."
        errors={errors.primary}
        onValue={(primary) => change({ primary })}
      />
      {names.length > 0 && (
        <Select
          label="Measured on"
          value={primaryPartShown(spec)}
          options={[
            { value: "", text: "all test items" },
            ...names.map((name) => ({ value: name, text: name })),
          ]}
          errors={errors.primary_part}
          onValue={(primaryPart) => change({ primaryPart })}
        />
      )}
      <RadioChoices
        legend="Areas begin"
        value={spec.areas}
        choices={[
          { value: "all", text: "at the first batch" },
          { value: "later", text: "at the second", help: "The first is the same for all strategies." },
        ]}
        onValue={(areas) => change({ areas })}
      />
    </div>
  );
}

function PartsFields({ choices, spec, errors, change }: PartProps) {
  const replace = (row: number, part: Partial<PartRow>) =>
    change({ parts: spec.parts.map((each) => (each.row === row ? { ...each, ...part } : each)) });
  const add = () => {
    const row = Math.max(0, ...spec.parts.map((each) => each.row)) + 1;
    change({ parts: [...spec.parts, { row, key: "", field: "", value: "" }] });
  };
  return (
    <fieldset className="choices cases">
      <legend>Parts of the test items that are reported apart, too</legend>
      {spec.parts.map(({ row, key, field, value }, place) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset would be announced twice.
        <div key={row} className="case form-grid" role="group" aria-label={`Part ${place + 1}`}>
          <Field
            label="Name of the part"
            value={key}
            errors={errors[`parts[${place}].key`]}
            onValue={(typed) => replace(row, { key: typed })}
          />
          <Field
            label="Field of the lines"
            value={field}
            hint="For example: silver."
            errors={errors[`parts[${place}].field`]}
            onValue={(typed) => replace(row, { field: typed })}
          />
          <Field
            label="Its value"
            value={value}
            hint="true, false, a whole number or a text; a text of digits in quotation marks."
            errors={errors[`parts[${place}].value`]}
            onValue={(typed) => replace(row, { value: typed })}
          />
          <div>
            <button
              type="button"
              className="button quiet"
              onClick={() => change({ parts: spec.parts.filter((each) => each.row !== row) })}
            >
              Remove<span className="visually-hidden"> part {place + 1}</span>
            </button>
          </div>
        </div>
      ))}
      {errors.parts && <span className="error">{errors.parts.join(" ")}</span>}
      {spec.parts.length < choices.limits.parts && (
        <div className="row">
          <button type="button" className="button" onClick={add}>
            Add a part
          </button>
          <span className="small mute">
            Such as the real lines of a test file to which easy ones were added.
          </span>
        </div>
      )}
    </fieldset>
  );
}

function StringTestFields({ spec, errors, change }: PartProps) {
  const field = bindFields(spec, errors, change);
  return (
    <div className="form-grid">
      <Labelled
        label="String test: phrases"
        hint="One on each line, for a reference without a model. Leave it empty for none."
        errors={errors["string_test.phrases"]}
      >
        {(control) => (
          <textarea
            {...control}
            rows={3}
            value={spec.phrases}
            onChange={(event) => change({ phrases: event.currentTarget.value })}
          />
        )}
      </Labelled>
      <Field label="Label of a text that holds one" {...field("phraseLabel", "string_test.label")} />
      <Field label="Label of every other text" {...field("otherLabel", "string_test.otherwise")} />
    </div>
  );
}
