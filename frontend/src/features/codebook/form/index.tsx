import { useState } from "react";
import { isLearned, needsLearning } from "../../../activeLearning/learned";
import { labelsOf } from "../../../api/codebooks";
import type { StageDefinition } from "../../../api/types";
import { CheckChoices } from "../../../components/Choices";
import { ConfirmButton } from "../../../components/ConfirmButton";
import { Field } from "../../../components/Field";
import { Select } from "../../../components/Select";
import { counted } from "../../../text/format";
import { learnedFirst, moved, newStage, stageRemoved } from "./edits";
import { Flow } from "./Flow";
import { Grip } from "./Grip";
import { MarkdownArea } from "./MarkdownArea";
import { MoveButtons } from "./MoveButtons";
import type { FormProps } from "./props";
import { SpanFields } from "./SpanFields";
import { StageFields } from "./StageFields";
import { type DragProps, useDragOrder } from "./useDragOrder";
import "./form.css";

interface DefinitionFormProps extends FormProps {
  /** The paths of all faults, so that a question that is folded tells of its own. */
  faultyPaths: readonly string[];
}

/** A definition as fields. It and the JSON text are two views of the same text. */
export function DefinitionForm({ definition, errorsAt, faultyPaths, onChange }: DefinitionFormProps) {
  const { name, guidelines = "", stages } = definition;
  return (
    <div className="definition-form stack">
      <section className="card stack" aria-label="Codebook">
        <Field
          label="Name of the codebook"
          value={name}
          errors={errorsAt("name")}
          onValue={(value) => onChange({ ...definition, name: value })}
        />
        <MarkdownArea
          label="Guidelines"
          hint="What annotators should know. They read it with Shift+H while they label."
          value={guidelines}
          errors={errorsAt("guidelines")}
          onValue={(value) => onChange({ ...definition, guidelines: value })}
        />
      </section>
      <Stages {...{ definition, errorsAt, faultyPaths, onChange }} />
      {stages.some(isLearned) && <Learning definition={definition} errorsAt={errorsAt} onChange={onChange} />}
      <SpanFields definition={definition} errorsAt={errorsAt} onChange={onChange} />
    </div>
  );
}

function Stages({ definition, errorsAt, faultyPaths, onChange }: DefinitionFormProps) {
  const { stages } = definition;
  const [open, setOpen] = useState<number | null>(null);
  const move = (at: number, to: number) => {
    onChange({ ...definition, stages: moved(stages, at, to) });
    setOpen(open === at ? to : open);
  };
  const drag = useDragOrder(move);
  const add = () => {
    const made = newStage(stages);
    const learning = definition.learning ?? { stage: made.key };
    onChange({ ...definition, stages: [...stages, made], learning });
    setOpen(stages.length);
  };
  return (
    <section className="stack" aria-labelledby="form-questions">
      <h2 id="form-questions">Questions</h2>
      {errorsAt("stages")?.map((message) => (
        <p className="notice bad" key={message}>
          {message}
        </p>
      ))}
      {stages.length > 1 && <Flow stages={stages} />}
      <ol className="form-stages">
        {stages.map((stage, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: its key is typed here, and would make the field anew.
          <li key={at} {...drag(at).row}>
            <StageHead
              {...{ stage, at }}
              drag={drag(at)}
              count={stages.length}
              faults={faultyPaths.filter((path) => path.startsWith(`stages[${at}]`)).length}
              isOpen={open === at}
              onOpen={() => setOpen(open === at ? null : at)}
              onMove={(to) => move(at, to)}
              onRemove={() => {
                onChange(stageRemoved(definition, at));
                setOpen(null);
              }}
            />
            {open === at && <StageFields {...{ definition, at, errorsAt, onChange }} />}
          </li>
        ))}
      </ol>
      <div className="row">
        <button type="button" className="button" onClick={add}>
          Add a question
        </button>
      </div>
    </section>
  );
}

interface StageHeadProps {
  stage: StageDefinition;
  at: number;
  count: number;
  faults: number;
  drag: DragProps;
  isOpen: boolean;
  onOpen: () => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

function StageHead({ stage, at, count, faults, drag, isOpen, onOpen, onMove, onRemove }: StageHeadProps) {
  const name = stage.title || stage.key;
  return (
    <div className="row form-stage-head">
      <button type="button" className="button quiet" aria-expanded={isOpen} onClick={onOpen}>
        {at + 1}. {name}
        {faults > 0 && <span className="tag bad">{counted(faults, "place")} to fix</span>}
      </button>
      <Grip drag={drag} />
      <MoveButtons name={name} at={at} count={count} onMove={onMove} />
      <ConfirmButton
        className="button quiet"
        button="Remove"
        label={`Remove the question ${name}`}
        title={`Remove “${name}”?`}
        act="Remove it"
        danger
        onConfirm={onRemove}
      >
        <p>Conditions of other questions that name it are removed too. Nothing is stored before you save.</p>
      </ConfirmButton>
    </div>
  );
}

/** Shown where no question is chosen, or where none has to be. */
const NOTHING = "Nothing is named";

function exclusionLegend(stage: StageDefinition | undefined): string {
  if (stage?.type === "several") return "It does not learn items whose majority has";
  return `It does not learn items whose ${stage?.type === "scale" ? "median" : "majority"} is`;
}

function Learning({ definition, errorsAt, onChange }: FormProps) {
  const learning = definition.learning ?? learnedFirst(definition.stages) ?? { stage: "" };
  const stages = definition.stages.filter(isLearned);
  const stage = stages.find(({ key }) => key === learning.stage);
  const labels = labelsOf(stage);
  const mayBeNone = !definition.stages.some(needsLearning);
  return (
    <section className="card stack" aria-label="Learning">
      <Select
        label="The model learns"
        hint="Rounds fine-tune a model on this question and choose what is worth labelling next. Numbers and texts are not learned."
        value={learning.stage}
        options={[
          ...(stage && !mayBeNone ? [] : [{ value: stage ? "" : learning.stage, text: NOTHING }]),
          ...stages.map(({ key, title }) => ({ value: key, text: title || key })),
        ]}
        errors={errorsAt("learning.stage") ?? errorsAt("learning")}
        onValue={(key) => onChange({ ...definition, learning: key ? { stage: key } : null })}
      />
      {labels.length > 0 && (
        <CheckChoices
          legend={exclusionLegend(stage)}
          inColumns
          values={learning.exclude ?? []}
          choices={labels.map(({ key, name }) => ({ value: key, text: name || key }))}
          errors={errorsAt("learning.exclude")}
          onValues={(exclude) => onChange({ ...definition, learning: { ...learning, exclude } })}
        />
      )}
    </section>
  );
}
