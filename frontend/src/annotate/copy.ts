import { labelsOf } from "../api/codebooks";
import type { ContextLevel, Item, StageDefinition } from "../api/types";
import { questionType } from "./questionTypes";
import { isOpenAt, LEVELS } from "./reading/contextLevels";

export const RUNG_TITLES: Record<ContextLevel, string> = {
  sentence: "The sentence alone",
  utterance: "The whole turn",
  minus_5_sentences: "Five sentences before",
  minus_200_tokens: "200 words before",
};

/** "turn 212, sentence 3": where the item stands in its document. */
export function placeWords(item: Item): string {
  const parts = [
    item.utterance && `turn ${item.utterance.number}`,
    item.sentence_number !== null && `sentence ${item.sentence_number}`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** Where an item is given to some of the people only, it is kept for one of them for a time. */
export function claimWords(until: string): string {
  const time = new Date(until).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return `kept for you until ${time}`;
}

/** A stage whose labels are the context levels asks how much context was needed. */
export function asksForContext(stage: StageDefinition): boolean {
  const labels = labelsOf(stage);
  return labels.length > 0 && labels.every((label) => (LEVELS as readonly string[]).includes(label.key));
}

/** The level that this answer names, where it is wider than what was opened. */
export function unopenedLevel(
  stage: StageDefinition,
  label: string,
  opened: ContextLevel,
): ContextLevel | null {
  const level = asksForContext(stage) ? LEVELS.find((each) => each === label) : undefined;
  return level && !isOpenAt(level, opened) ? level : null;
}

export function openedWords(opened: ContextLevel): string {
  if (opened === "sentence") return "You have opened no context.";
  return `You have opened: ${levelWords(opened)}.`;
}

/** As within a sentence. */
export function levelWords(level: ContextLevel): string {
  const title = RUNG_TITLES[level];
  return title.charAt(0).toLowerCase() + title.slice(1);
}

/** An answer as people read it; nothing where there is none. */
export function answerName(stage: StageDefinition, answer: string | undefined): string {
  return answer === undefined ? "" : questionType(stage).nameOf(stage, answer);
}
