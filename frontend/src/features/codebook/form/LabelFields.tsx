import type { LabelDefinition, LabelStage, SeveralStage } from "../../../api/types";
import { CheckChoices } from "../../../components/Choices";
import { Disclosure } from "../../../components/Disclosure";
import { Field } from "../../../components/Field";
import { keyFor, moved, relabelled, replaced, without } from "./edits";
import { KeyField } from "./KeyField";
import { MarkdownArea } from "./MarkdownArea";
import { MoveButtons } from "./MoveButtons";
import type { FormProps } from "./props";
import { keyIn, useStoredKeys } from "./stored";

const same = (key: string) => key;

/** The labels of a question. */
export function LabelFields({ definition, at, errorsAt, onChange }: FormProps & { at: number }) {
  const stage = definition.stages[at] as LabelStage | SeveralStage;
  const { labels } = stage;
  const stored = useStoredKeys();
  const put = (next: LabelDefinition[], keys: (old: string) => string | null = same) =>
    onChange(relabelled(definition, at, next, keys));
  const change = (place: number, part: Partial<LabelDefinition>) => {
    const old = labels[place] as LabelDefinition;
    const now = { ...old, ...part };
    put(replaced(labels, place, now), (key) => (key === old.key ? now.key : key));
  };
  const add = () => {
    const taken = labels.map(({ key }) => key);
    put([...labels, { key: keyFor("label", taken, "label"), name: "" }]);
  };
  return (
    <fieldset className="form-labels stack-tight">
      <legend>Labels</legend>
      {errorsAt(`stages[${at}].labels`)?.map((message) => (
        <p className="error" key={message}>
          {message}
        </p>
      ))}
      <ol className="stack-tight">
        {labels.map((label, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: its key is typed here, and would make the field anew.
          <li key={place}>
            <LabelLine
              label={label}
              at={place}
              count={labels.length}
              isStored={stored.has(keyIn(stage.key, label.key))}
              taken={labels.filter((_, other) => other !== place).map(({ key }) => key)}
              errorsAt={(name) => errorsAt(`stages[${at}].labels[${place}].${name}`)}
              onChange={(part) => change(place, part)}
              onMove={(to) => put(moved(labels, place, to))}
              onRemove={() => put(without(labels, place), (key) => (key === label.key ? null : key))}
            />
          </li>
        ))}
      </ol>
      <div className="row">
        <button type="button" className="button" onClick={add}>
          Add a label
        </button>
      </div>
      {stage.type !== "several" && <OrderAndPositive {...{ definition, at, errorsAt, onChange }} />}
    </fieldset>
  );
}

interface LabelLineProps {
  label: LabelDefinition;
  at: number;
  count: number;
  /** The keys of the other labels. */
  taken: string[];
  /** An earlier version has it: its key stays, whatever its name becomes. */
  isStored: boolean;
  errorsAt: (name: string) => string[] | undefined;
  onChange: (part: Partial<LabelDefinition>) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

function LabelLine({
  label,
  at,
  count,
  taken,
  isStored,
  errorsAt,
  onChange,
  onMove,
  onRemove,
}: LabelLineProps) {
  const number = at + 1;
  const name = label.name || `label ${number}`;
  // The key that was made for the name of a new label follows it.
  const isMade = !isStored && label.key === keyFor(label.name || "label", taken, "label");
  const rename = (typed: string) =>
    onChange({ name: typed, ...(isMade && { key: keyFor(typed || "label", taken, "label") }) });
  return (
    <div className="form-label">
      <div className="form-label-line">
        <Field label={`Label ${number}`} value={label.name} errors={errorsAt("name")} onValue={rename} />
        <KeyField
          value={label.key}
          taken={taken}
          errors={errorsAt("key")}
          onKey={(key) => onChange({ key })}
        />
        <Field
          label="On the keyboard"
          value={label.shortcut ?? ""}
          maxLength={1}
          errors={errorsAt("shortcut")}
          onValue={(key) => onChange({ shortcut: key === "" ? undefined : key })}
        />
        <div className="row">
          <MoveButtons name={name} at={at} count={count} onMove={onMove} />
          <button
            type="button"
            className="button quiet"
            aria-label={`Remove ${name}`}
            disabled={count < 2}
            onClick={onRemove}
          >
            Remove
          </button>
        </div>
      </div>
      <Disclosure title={`Help for ${name}${label.help ? "" : " (none yet)"}`}>
        <MarkdownArea
          label={`When ${name} is right`}
          value={label.help ?? ""}
          rows={2}
          errors={errorsAt("help")}
          onValue={(help) => onChange({ help })}
        />
      </Disclosure>
    </div>
  );
}

function OrderAndPositive({ definition, at, errorsAt, onChange }: FormProps & { at: number }) {
  const stage = definition.stages[at] as LabelStage;
  const change = (part: Partial<LabelStage>) =>
    onChange({ ...definition, stages: replaced(definition.stages, at, { ...stage, ...part }) });
  return (
    <Disclosure title="Order of the labels, and which count as positive">
      <div className="stack-tight">
        <CheckChoices
          legend="Their order"
          values={stage.scale === "ordinal" ? ["ordinal"] : []}
          choices={[
            {
              value: "ordinal",
              text: "means something, as of small, middle, large",
              help: "Agreement then counts near labels as nearer.",
            },
          ]}
          onValues={(values) => change({ scale: values.length > 0 ? "ordinal" : "nominal" })}
        />
        <CheckChoices
          legend="Positive labels"
          hint="What the study looks for: the yield of a batch and the report count them."
          inColumns
          values={stage.positive ?? []}
          choices={stage.labels.map(({ key, name }) => ({ value: key, text: name || key }))}
          errors={errorsAt(`stages[${at}].positive`)}
          onValues={(positive) => change({ positive })}
        />
      </div>
    </Disclosure>
  );
}
