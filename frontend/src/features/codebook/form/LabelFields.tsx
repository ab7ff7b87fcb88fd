import { COLORS, ColorMark } from "../../../annotate/ColorMark";
import type { LabelDefinition, LabelStage, SeveralStage } from "../../../api/types";
import { CheckChoices } from "../../../components/Choices";
import { Disclosure } from "../../../components/Disclosure";
import { Select } from "../../../components/Select";
import { EntryLine, type EntryProps } from "./EntryLine";
import { keyFor, moved, relabelled, replaced, without } from "./edits";
import { MarkdownArea } from "./MarkdownArea";
import type { FormProps } from "./props";
import { useDragOrder } from "./useDragOrder";

const same = (key: string) => key;

/** The labels of a question. */
export function LabelFields({ definition, at, errorsAt, onChange }: FormProps & { at: number }) {
  const stage = definition.stages[at] as LabelStage | SeveralStage;
  const { labels } = stage;
  const put = (next: LabelDefinition[], keys: (old: string) => string | null = same) =>
    onChange(relabelled(definition, at, next, keys));
  const change = (place: number, part: Partial<LabelDefinition>) => {
    const old = labels[place] as LabelDefinition;
    const now = { ...old, ...part };
    put(replaced(labels, place, now), (key) => (key === old.key ? now.key : key));
  };
  const drag = useDragOrder((from, to) => put(moved(labels, from, to)));
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
          <li key={place} {...drag(place).row}>
            <LabelLine
              label={label}
              stage={stage.key}
              at={place}
              entries={labels}
              drag={drag(place)}
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

interface LabelLineProps extends EntryProps {
  label: LabelDefinition;
  stage: string;
  onChange: (part: Partial<LabelDefinition>) => void;
}

function LabelLine({ label, stage, onChange, ...entry }: LabelLineProps) {
  const name = label.name || `label ${entry.at + 1}`;
  return (
    <div className="form-label">
      <EntryLine
        kind="Label"
        stage={stage}
        {...entry}
        mark={<ColorMark color={label.color} />}
        onChange={(part) => onChange(part as Partial<LabelDefinition>)}
      >
        <Select
          label="Color"
          value={label.color ?? ""}
          options={[{ value: "", text: "none" }, ...COLORS.map((color) => ({ value: color, text: color }))]}
          errors={entry.errorsAt("color")}
          onValue={(color) => onChange({ color: (color || undefined) as LabelDefinition["color"] })}
        />
      </EntryLine>
      <Disclosure title={`Help for ${name}${label.help ? "" : " (none yet)"}`}>
        <MarkdownArea
          label={`When ${name} is right`}
          value={label.help ?? ""}
          rows={2}
          errors={entry.errorsAt("help")}
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
