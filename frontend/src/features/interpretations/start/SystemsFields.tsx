import { Field } from "../../../components/Field";
import { Select } from "../../../components/Select";
import { listed } from "../../../text/format";
import {
  epochsShown,
  FILTERBERT,
  modelsOf,
  newSystem,
  type PartProps,
  type SystemRow,
  shownTitles,
  withFilter,
  withKind,
} from "./spec";

/** What is trained and compared: each a model with the part of a source that it reads. */
export function SystemsFields({ choices, spec, errors, change }: PartProps) {
  const titles = shownTitles(choices, spec.systems);
  const replace = (system: SystemRow) =>
    change({ systems: spec.systems.map((each) => (each.row === system.row ? system : each)) });
  const add = () => {
    const row = Math.max(0, ...spec.systems.map((each) => each.row)) + 1;
    const last = spec.systems.at(-1);
    change({
      systems: [...spec.systems, last ? { ...last, row, title: "" } : newSystem(choices, row)],
    });
  };
  return (
    <section className="card stack" aria-labelledby="systems">
      <div className="stack-tight">
        <h2 id="systems">Systems</h2>
        <p className="small mute">
          Each is a model and a filter, which chooses the sentences of a source that the model reads. All
          systems learn from the same targets and are tested on the same ones.
        </p>
      </div>
      {spec.systems.map((row, place) => (
        <SystemFields
          key={row.row}
          {...{ choices, row }}
          number={place + 1}
          shown={titles[place] ?? ""}
          errors={own(errors, place)}
          onChange={replace}
          onRemove={
            spec.systems.length > 1
              ? () => change({ systems: spec.systems.filter((each) => each.row !== row.row) })
              : undefined
          }
        />
      ))}
      {errors.systems && (
        <p className="notice bad" role="alert">
          {errors.systems.join(" ")}
        </p>
      )}
      {spec.systems.length < choices.limits.systems && (
        <div className="row">
          <button type="button" className="button" onClick={add}>
            Add a system
          </button>
          <span className="small mute">It begins as a copy of the last one.</span>
        </div>
      )}
    </section>
  );
}

/** "systems[1].budget" -> "budget", of this row. */
function own(errors: Record<string, string[]>, place: number): Record<string, string[]> {
  const prefix = `systems[${place}].`;
  return Object.fromEntries(
    Object.entries(errors)
      .filter(([field]) => field.startsWith(prefix))
      .map(([field, said]) => [field.slice(prefix.length), said]),
  );
}

interface SystemFieldsProps extends Pick<PartProps, "choices" | "errors"> {
  row: SystemRow;
  number: number;
  /** Its title, or what stands for one. */
  shown: string;
  onChange: (row: SystemRow) => void;
  onRemove: (() => void) | undefined;
}

function SystemFields({ choices, row, number, shown, errors, onChange, onRemove }: SystemFieldsProps) {
  const kind = choices.kinds.find(({ name }) => name === row.kind);
  const filter = choices.filters.find(({ name }) => name === row.filter);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset could not be laid out as this grid.
    <div className="system stack" role="group" aria-label={`System ${number}`}>
      <div className="card-head">
        <h3>System {number}</h3>
        {onRemove && (
          <button type="button" className="button quiet inline" onClick={onRemove}>
            Remove<span className="visually-hidden"> {shown}</span>
          </button>
        )}
      </div>
      <div className="form-grid">
        <Select
          label="Kind"
          hint={kind?.needs}
          errors={errors.kind}
          value={row.kind}
          options={choices.kinds
            .filter(({ name, available }) => available || name === row.kind)
            .map(({ name, title }) => ({ value: name, text: title }))}
          onValue={(name) => onChange(withKind(choices, row, name))}
        />
        <ModelSelect
          {...{ choices }}
          label="Model"
          kind={row.kind}
          value={row.model}
          errors={errors.model}
          onValue={(model) => onChange({ ...row, model })}
        />
        <Select
          label="Filter"
          hint={filter?.note}
          errors={errors.filter}
          value={row.filter}
          options={choices.filters.map(({ name, title }) => ({ value: name, text: title }))}
          onValue={(name) => onChange(withFilter(choices, row, name))}
        />
        {row.filter === FILTERBERT && (
          <ModelSelect
            {...{ choices }}
            label="Encoder of the filter"
            kind={FILTERBERT}
            value={row.filterModel}
            errors={errors.filter_model}
            onValue={(filterModel) => onChange({ ...row, filterModel })}
          />
        )}
        <Field
          label="Budget in tokens"
          hint="How much of a source is read. Most models take 512 at most."
          inputMode="numeric"
          value={row.budget}
          errors={errors.budget}
          onValue={(budget) => onChange({ ...row, budget })}
        />
        <Field
          label="Epochs at most"
          hint="Training stops earlier where the validation loss no longer falls."
          inputMode="numeric"
          value={row.maxEpochs}
          placeholder={epochsShown(choices, { ...row, maxEpochs: "" })}
          errors={errors.max_epochs}
          onValue={(maxEpochs) => onChange({ ...row, maxEpochs })}
        />
        <Field
          label="Augmentation"
          hint="New training targets for each target, with another member of a span's class. 0 is none."
          inputMode="numeric"
          value={row.augment}
          errors={errors.augment}
          onValue={(augment) => onChange({ ...row, augment })}
        />
        <Field
          label="Title in the tables"
          maxLength={60}
          value={row.title}
          placeholder={shown}
          errors={errors.title}
          onValue={(title) => onChange({ ...row, title })}
        />
      </div>
    </div>
  );
}

interface ModelSelectProps extends Pick<PartProps, "choices"> {
  label: string;
  kind: string;
  value: string;
  errors: string[] | undefined;
  onValue: (name: string) => void;
}

function ModelSelect({ choices, label, kind, value, errors, onValue }: ModelSelectProps) {
  const models = modelsOf(choices, kind);
  const chosen = models.find(({ name }) => name === value);
  const away = models.filter(({ available }) => !available);
  const hint = [
    chosen?.note,
    away.length > 0 && `Not on this server: ${listed(away.map(({ title }) => title))}.`,
  ];
  return (
    <Select
      label={label}
      hint={hint.filter(Boolean).join(" ")}
      errors={errors}
      value={chosen?.available ? value : ""}
      options={[
        ...(chosen?.available ? [] : [{ value: "", text: "None of this kind" }]),
        ...models
          .filter(({ available }) => available)
          .map(({ name, title }) => ({ value: name, text: title })),
      ]}
      onValue={onValue}
    />
  );
}
