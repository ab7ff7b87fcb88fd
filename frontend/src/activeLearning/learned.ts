import type { StageDefinition } from "../api/types";

type StageType = NonNullable<StageDefinition["type"]>;

/** The questions that rounds can learn: those that offer labels, points of a scale among them. */
const LEARNED: readonly StageType[] = ["label", "several", "scale"];

export function isLearned({ type = "label" }: StageDefinition): boolean {
  return LEARNED.includes(type);
}

/** A codebook with such a question has to say which one a model learns. */
export function needsLearning({ type = "label" }: StageDefinition): boolean {
  return type === "label";
}
