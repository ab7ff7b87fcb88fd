import { labelsOf } from "../../../api/codebooks";
import type { Condition, StageDefinition } from "../../../api/types";
import { CheckChoices, RadioChoices } from "../../../components/Choices";
import { Select } from "../../../components/Select";
import { opensWords } from "../copy";
import { conditionOf, type Group, groupOf, isGroup, type Line } from "./conditions";
import { replaced, without } from "./edits";

interface ConditionFieldsProps {
  stage: StageDefinition;
  /** The stages that stand before it: a condition looks back only. */
  before: readonly StageDefinition[];
  errors?: string[];
  onChange: (condition: Condition | null) => void;
}

/** How deep groups are made here; deeper ones of the JSON are shown and changed all the same. */
const DEEPEST = 2;

/** When a question is asked: by choosing, and as a sentence. */
export function ConditionFields({ stage, before, errors, onChange }: ConditionFieldsProps) {
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
      <GroupFields
        group={groupOf(stage.open_when)}
        before={before}
        place=""
        onGroup={(group) => onChange(conditionOf(group))}
      />
      {stage.open_when && (
        <div className="row">
          <button type="button" className="button quiet" onClick={() => onChange(null)}>
            Ask it always
          </button>
        </div>
      )}
    </fieldset>
  );
}

/** A first condition on a stage: its first answer, or any answer where people write it. */
function lineFor(stage: StageDefinition): Line {
  const [label] = labelsOf(stage);
  return { stage: stage.key, labels: label ? [label.key] : null };
}

interface GroupFieldsProps {
  group: Group;
  before: readonly StageDefinition[];
  /** The numbers of the groups around it, such as "2.1"; empty for the whole. */
  place: string;
  onGroup: (group: Group) => void;
}

function GroupFields({ group, before, place, onGroup }: GroupFieldsProps) {
  const { join, parts } = group;
  const nearest = before.at(-1);
  const put = (next: Group["parts"]) => onGroup({ join, parts: next });
  const depth = place === "" ? 0 : place.split(".").length;
  return (
    <>
      {parts.length > 1 && (
        <RadioChoices
          legend={place ? `Of group ${place}` : "These conditions"}
          value={join}
          choices={[
            { value: "all", text: "all must hold" },
            { value: "any", text: "one is enough" },
          ]}
          onValue={(value) => onGroup({ join: value, parts })}
        />
      )}
      {parts.map((part, at) => {
        const number = place ? `${place}.${at + 1}` : String(at + 1);
        const change = (changed: Line | Group) => put(replaced(parts, at, changed));
        const remove = () => put(without(parts, at));
        return isGroup(part) ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name of their own.
          <fieldset className="form-line stack-tight" key={at}>
            <legend>Group {number}</legend>
            <GroupFields group={part} before={before} place={number} onGroup={change} />
            <div className="row">
              <button type="button" className="button quiet" onClick={remove}>
                Remove group {number}
              </button>
            </div>
          </fieldset>
        ) : (
          <ConditionLine
            // biome-ignore lint/suspicious/noArrayIndexKey: the same stage may be named twice.
            key={at}
            {...{ line: part, before, number }}
            onLine={change}
            onRemove={remove}
          />
        );
      })}
      {nearest && (
        <div className="row">
          <button type="button" className="button" onClick={() => put([...parts, lineFor(nearest)])}>
            Add a condition{place && ` to group ${place}`}
          </button>
          {parts.length > 0 && depth < DEEPEST && (
            <button
              type="button"
              className="button quiet"
              onClick={() => put([...parts, newGroup(join, nearest)])}
            >
              Add a group{place && ` to group ${place}`}
            </button>
          )}
        </div>
      )}
    </>
  );
}

/** Two conditions that join the other way: joined alike, they would need no group. */
function newGroup(around: Group["join"], stage: StageDefinition): Group {
  return { join: around === "all" ? "any" : "all", parts: [lineFor(stage), lineFor(stage)] };
}

interface ConditionLineProps {
  line: Line;
  number: string;
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
