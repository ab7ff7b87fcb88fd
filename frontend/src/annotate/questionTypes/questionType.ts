import type { ComponentType } from "react";
import type { StageDefinition } from "../../api/types";

export interface FormProps<Stage> {
  stage: Stage;
  /** A key for each of the stage's labels, where it has some. */
  keys: readonly (string | null)[];
  answer: string | undefined;
  isCurrent: boolean;
  onAnswer: (answer: string) => void;
}

/** What the labelling screen asks of a type of question. */
export interface QuestionType<Stage = StageDefinition> {
  /** Whether a text is an answer, as the server checks it. Only answers count in gates. */
  accepts(stage: Stage, answer: string): boolean;
  /** An answer as people read it. */
  nameOf(stage: Stage, answer: string): string;
  Form: ComponentType<FormProps<Stage>>;
}
