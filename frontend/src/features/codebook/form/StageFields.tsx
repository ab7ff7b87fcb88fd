import { useState } from "react";
import { labelsOf } from "../../../api/codebooks";
import type {
  LabelDefinition,
  NumberStage,
  ScaleStage,
  SeveralStage,
  StageDefinition,
  TextStage,
} from "../../../api/types";
import { CheckChoices } from "../../../components/Choices";
import { Field } from "../../../components/Field";
import { Select } from "../../../components/Select";
import { ConditionFields } from "./ConditionFields";
import { replaced, type StageType, stageRekeyed, stageRetyped } from "./edits";
import { KeyField } from "./KeyField";
import { LabelFields } from "./LabelFields";
import { MarkdownArea } from "./MarkdownArea";
import { NumberField } from "./NumberField";
import type { FormProps } from "./props";

const TYPES: Record<StageType, string> = {
  label: "One label of several",
  several: "Several labels",
  scale: "A point of a scale",
  number: "A number",
  text: "A short text",
};

/** All of one question. */
export function StageFields({ definition, at, errorsAt, onChange }: FormProps & { at: number }) {
  const stage = definition.stages[at] as StageDefinition;
  const path = `stages[${at}]`;
  // Of a type that has some: they come back where the question becomes such a one again.
  const [labels, setLabels] = useState<LabelDefinition[]>([]);
  const change = (part: Partial<StageDefinition>) =>
    onChange({
      ...definition,
      stages: replaced(definition.stages, at, { ...stage, ...part } as StageDefinition),
    });
  const place = { stage, path, errorsAt, change };
  return (
    <div className="card stack">
      <div className="form-grid">
        <Field
          label="Short name"
          hint="For tables and figures."
          value={stage.title}
          errors={errorsAt(`${path}.title`)}
          onValue={(title) => change({ title })}
        />
        <KeyField
          hint="What is stored and exported. Once people have answered, keep it."
          value={stage.key}
          taken={definition.stages.filter((other) => other !== stage).map(({ key }) => key)}
          errors={errorsAt(`${path}.key`)}
          onKey={(key) => onChange(stageRekeyed(definition, at, key))}
        />
      </div>
      <Field
        label="The question that people read"
        value={stage.prompt}
        errors={errorsAt(`${path}.prompt`)}
        onValue={(prompt) => change({ prompt })}
      />
      <MarkdownArea
        label="Help under the question"
        value={stage.help ?? ""}
        rows={2}
        errors={errorsAt(`${path}.help`)}
        onValue={(help) => change({ help })}
      />
      <Select
        label="Answered with"
        value={stage.type ?? "label"}
        options={Object.entries(TYPES).map(([value, text]) => ({ value, text }))}
        errors={errorsAt(`${path}.type`)}
        onValue={(type) => {
          if ("labels" in stage) setLabels(stage.labels);
          onChange(stageRetyped(definition, at, type as StageType, labels));
        }}
      />
      {"labels" in stage && <LabelFields {...{ definition, at, errorsAt, onChange }} />}
      {stage.type === "several" && <HowMany {...place} stage={stage} />}
      {stage.type === "scale" && <ScaleFields {...place} stage={stage} />}
      {stage.type === "number" && <NumberFields {...place} stage={stage} />}
      {stage.type === "text" && <TextFields {...place} stage={stage} />}
      <ConditionFields
        stage={stage}
        before={definition.stages.slice(0, at)}
        errors={errorsAt(`${path}.open_when`)}
        onChange={(open_when) => change({ open_when })}
      />
      <CheckChoices
        legend="An answer"
        values={stage.required === false ? ["optional"] : []}
        choices={[{ value: "optional", text: "may be left out" }]}
        errors={errorsAt(`${path}.required`)}
        onValues={(values) => change({ required: !values.includes("optional") })}
      />
    </div>
  );
}

interface Place<Stage> {
  stage: Stage;
  path: string;
  errorsAt: FormProps["errorsAt"];
  change: (part: Partial<Stage>) => void;
}

/** A field for a number that may be left out. */
function bindNumbers<Stage extends object>({ stage, path, errorsAt, change }: Place<Stage>) {
  return (name: keyof Stage & string) => ({
    value: stage[name],
    errors: errorsAt(`${path}.${name}`),
    onNumber: (value: number | string | undefined) => change({ [name]: value } as Partial<Stage>),
  });
}

function HowMany(place: Place<SeveralStage>) {
  const field = bindNumbers(place);
  return (
    <div className="form-grid">
      <NumberField label="Fewest labels" hint="Empty: 1." {...field("least")} />
      <NumberField label="Most labels" hint="Empty: any number." {...field("most")} />
    </div>
  );
}

function ScaleFields(place: Place<ScaleStage>) {
  const { stage, path, errorsAt, change } = place;
  const field = bindNumbers(place);
  const { anchors = [] } = stage;
  const points = labelsOf(stage).map(({ key }) => Number(key));
  const beyond = anchors.filter(({ point }) => !points.includes(point));
  const named = (point: number, name: string) => {
    const others = anchors.filter((each) => each.point !== point);
    const all = name === "" ? others : [...others, { point, name }];
    change({ anchors: all.sort((a, b) => a.point - b.point) });
  };
  return (
    <>
      <div className="form-grid">
        <NumberField label="Lowest point" hint="Empty: 1." {...field("low")} />
        <NumberField label="Highest point" hint="A scale has 2 to 11 points." {...field("high")} />
      </div>
      <fieldset className="form-grid">
        <legend>What the points mean, where words help</legend>
        {[...points, ...beyond.map(({ point }) => point)].map((point) => {
          const at = anchors.findIndex((each) => each.point === point);
          const place = `${path}.anchors[${at}]`;
          return (
            <Field
              key={point}
              label={points.includes(point) ? `Point ${point}` : `Point ${point}, which the scale has not`}
              value={anchors[at]?.name ?? ""}
              errors={errorsAt(`${place}.name`) ?? errorsAt(`${place}.point`)}
              onValue={(name) => named(point, name)}
            />
          );
        })}
      </fieldset>
    </>
  );
}

function NumberFields(place: Place<NumberStage>) {
  const { stage, path, errorsAt, change } = place;
  const field = bindNumbers(place);
  return (
    <div className="form-grid">
      <NumberField label="Least" hint="Empty: no limit." {...field("min")} />
      <NumberField label="Most" hint="Empty: no limit." {...field("max")} />
      <NumberField label="In steps of" hint="1: whole numbers. Empty: any number." {...field("step")} />
      <Field
        label="Unit"
        hint="Such as % or years."
        value={stage.unit ?? ""}
        errors={errorsAt(`${path}.unit`)}
        onValue={(unit) => change({ unit })}
      />
    </div>
  );
}

function TextFields(place: Place<TextStage>) {
  return (
    <NumberField
      label="Most characters"
      hint="Empty: 2,000. Free text has no agreement beyond the share of equal answers."
      {...bindNumbers(place)("most_characters")}
    />
  );
}
