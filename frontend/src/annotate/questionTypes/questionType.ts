import type { ComponentType } from "react";
import { labelsOf } from "../../api/codebooks";
import type { LabelDefinition, StageDefinition } from "../../api/types";

export interface FormProps<Stage> {
  stage: Stage;
  /** A key for each of the stage's choices, where it has some. */
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
  /** The labels that an answer consists of, for conditions; left out: the answer itself. */
  labelsIn?(answer: string): readonly string[];
  /**
   * The answer is put together in the form and confirmed there: a key acts on the form (`press`), and an empty text takes
   * the answer to an optional question back. Left out: each label is an answer, and choosing it again takes it back.
   */
  isConfirmed?: boolean;
  Form: ComponentType<FormProps<Stage>>;
}

/** What each key of a question is for: a label, or the box that the answer is written in. */
export function choicesOf(stage: StageDefinition): Pick<LabelDefinition, "key" | "name" | "shortcut">[] {
  const isWritten = stage.type === "number" || stage.type === "text";
  return isWritten ? [{ key: WRITE, name: "Write the answer" }] : labelsOf(stage);
}

const WRITE = "write";

/** Marks the control of a choice for its key. */
export function choiceName(stage: StageDefinition, choice: string = WRITE): string {
  return `${stage.key} ${choice}`;
}

/** A key of a form that is confirmed: it toggles a label, or puts the focus into the box. */
export function press(stage: StageDefinition, choice: string): void {
  const control = document.querySelector<HTMLElement>(`[data-choice="${choiceName(stage, choice)}"]`);
  if (control instanceof HTMLInputElement) control.focus();
  else control?.click();
}

/** Confirms what was put together and not yet confirmed; false where there is nothing such. */
export function confirmPending(): boolean {
  const button = document.querySelector<HTMLElement>("[data-confirm]");
  button?.click();
  return button !== null;
}
