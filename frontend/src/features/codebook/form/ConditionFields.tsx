import { labelsOf } from "../../../api/codebooks";
import type { Condition, StageDefinition } from "../../../api/types";
import { CheckChoices, RadioChoices } from "../../../components/Choices";
import { Select } from "../../../components/Select";
import { opensWords } from "../copy";
import { conditionOf, type Line, type Lines, linesOf } from "./conditions";
import { replaced, without } from "./edits";

interface ConditionFieldsProps {
  stage: StageDefinition;
  /** The stages that stand before it: a condition looks back only. */
  before: readonly StageDefinition[];
  errors?: string[];
  onChange: (condition: Condition | null) => void;
}

/** When a question is asked: by choosing, and as a sentence. */
export function ConditionFields({ stage, before, errors, onChange }: ConditionFieldsProps) {
  const shown = linesOf(stage.open_when);
  const [first] = before;
  if (!first && !stage.open_when) return <p className="small mute">It is asked of every item.</p>;
  return (
    <fieldset className="form-condition stack-tight">
      <legend>When it is asked</legend>
      <p className="small">{opensWords(stage, before)}</p>
      {errors?.map((message) => (
        <p className="error" key={message}>
          {message}
        </p>
      ))}
      {shown ? (
        <ConditionLines {...{ shown, before }} onLines={(lines) => onChange(conditionOf(lines))} />
      ) : (
        <p className="small mute">Its conditions stand in groups. Change them in the JSON.</p>
      )}
      <div className="row">
        {shown && first && (
          <button
            type="button"
            className="button"
            onClick={() =>
              onChange(conditionOf({ ...shown, lines: [...shown.lines, lineFor(before.at(-1) ?? first)] }))
            }
          >
            Add a condition
          </button>
        )}
        {stage.open_when && (
          <button type="button" className="button quiet" onClick={() => onChange(null)}>
            Ask it always
          </button>
        )}
      </div>
    </fieldset>
  );
}

/** A first condition on a stage: its first answer, or any answer where people write it. */
function lineFor(stage: StageDefinition): Line {
  const [label] = labelsOf(stage);
  return { stage: stage.key, labels: label ? [label.key] : null };
}

interface ConditionLinesProps {
  shown: Lines;
  before: readonly StageDefinition[];
  onLines: (lines: Lines) => void;
}

function ConditionLines({ shown, before, onLines }: ConditionLinesProps) {
  const { join, lines } = shown;
  return (
    <>
      {lines.length > 1 && (
        <RadioChoices
          legend="These conditions"
          value={join}
          choices={[
            { value: "all", text: "must all hold" },
            { value: "any", text: "open it where one of them holds" },
          ]}
          onValue={(value) => onLines({ join: value, lines })}
        />
      )}
      {lines.map((line, at) => (
        <ConditionLine
          // biome-ignore lint/suspicious/noArrayIndexKey: the same stage may be named twice.
          key={at}
          {...{ line, before }}
          number={at + 1}
          onLine={(changed) => onLines({ join, lines: replaced(lines, at, changed) })}
          onRemove={() => onLines({ join, lines: without(lines, at) })}
        />
      ))}
    </>
  );
}

interface ConditionLineProps {
  line: Line;
  number: number;
  before: readonly StageDefinition[];
  onLine: (line: Line) => void;
  onRemove: () => void;
}

function ConditionLine({ line, number, before, onLine, onRemove }: ConditionLineProps) {
  const stage = before.find(({ key }) => key === line.stage);
  const labels = labelsOf(stage);
  return (
    <div className="form-line stack-tight">
      <div className="form-grid">
        <Select
          label={`Condition ${number}: the answer to`}
          value={line.stage}
          options={[
            ...(stage ? [] : [{ value: line.stage, text: `${line.stage}, which does not stand before it` }]),
            ...before.map(({ key, title }) => ({ value: key, text: title || key })),
          ]}
          onValue={(key) => {
            const chosen = before.find((each) => each.key === key);
            if (chosen) onLine(lineFor(chosen));
          }}
        />
        <Select
          label="is"
          value={line.labels === null ? "answered" : "in"}
          options={[
            ...(labels.length > 0 ? [{ value: "in", text: "one of these" }] : []),
            { value: "answered", text: "given, whatever it is" },
          ]}
          onValue={(how) =>
            onLine({ ...line, labels: how === "in" ? labels.slice(0, 1).map(({ key }) => key) : null })
          }
        />
      </div>
      {line.labels !== null && (
        <CheckChoices
          legend="Answers that open it"
          inColumns
          values={line.labels}
          choices={labels.map(({ key, name }) => ({ value: key, text: name || key }))}
          onValues={(chosen) => onLine({ ...line, labels: chosen })}
        />
      )}
      <div className="row">
        <button type="button" className="button quiet" onClick={onRemove}>
          Remove condition {number}
        </button>
      </div>
    </div>
  );
}
