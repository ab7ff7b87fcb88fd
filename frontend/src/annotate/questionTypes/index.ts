import type { StageDefinition } from "../../api/types";
import { label } from "./label";
import { number } from "./number";
import type { QuestionType } from "./questionType";
import { scale } from "./scale";
import { several } from "./several";
import { text } from "./text";

type Name = NonNullable<StageDefinition["type"]>;
type OfType<T extends Name> = Extract<StageDefinition, { type?: T }>;

/** The types of question, by the name that the codebook gives. A new one is a file here and a line in this table. */
export const QUESTION_TYPES: { [T in Name]: QuestionType<OfType<T>> } = {
  label,
  several,
  scale,
  number,
  text,
};

/** A stage without a type is answered with a label. */
export function questionType(stage: StageDefinition): QuestionType {
  // The entry is that of the stage's own type, which the compiler does not follow.
  return QUESTION_TYPES[stage.type ?? "label"] as QuestionType;
}
