import { counted } from "../../text/format";
import type { ClassReview, Part, ReviewState, Summary } from "./types";

export const PART_WORDS: Record<Part, string> = {
  words: "words",
  comment: "comment",
  both: "words and comment",
};

export const REVIEW_WORDS: Record<ReviewState, string> = {
  none: "not reviewed",
  validated: "validated",
  returned: "returned",
  changed: "changed since validated",
};

export const REVIEW_TONES: Record<ReviewState, string> = {
  none: "",
  validated: "ok",
  returned: "bad",
  changed: "warn",
};

/** "validated by Clara". */
export function reviewWords({ state, by }: ClassReview): string {
  return by && state !== "none" ? `${REVIEW_WORDS[state]}, ${by}` : REVIEW_WORDS[state];
}

export function hiddenWords(hidden: number): string {
  return `${counted(hidden, "settled item is", "settled items are")} left out for you, until nobody’s answers about them can change any more.`;
}

export function sizeWords({ n_classes, n_members }: Summary): string {
  return `${counted(n_classes, "class", "classes")}, ${counted(n_members, "string")}`;
}
