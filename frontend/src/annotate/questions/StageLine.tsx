import { labelsOf } from "../../api/codebooks";
import type { StageDefinition } from "../../api/types";
import { Key } from "../../components/Key";
import { ColorMark } from "../ColorMark";
import { answerName } from "../copy";

interface StageLineProps {
  stage: StageDefinition;
  answer: string;
  note?: string;
  /** What a model says; empty where it says nothing. */
  suggested?: string;
  keyName: string | null;
  onReopen: () => void;
}

/** An answered question, folded to a line; choosing it opens it again. */
export function StageLine({ stage, answer, note, suggested, keyName, onReopen }: StageLineProps) {
  return (
    <button type="button" className="stage-line card" aria-expanded={false} onClick={onReopen}>
      <span>{stage.title}</span>
      <b>
        {labelsOf(stage).map(({ key, color }) => key === answer && <ColorMark key={key} color={color} />)}{" "}
        {answerName(stage, answer)}
      </b>
      {note && <span className="note">{note}</span>}
      {suggested && <span className="suggested small">{suggested}</span>}
      {keyName && <Key name={keyName} />}
    </button>
  );
}
