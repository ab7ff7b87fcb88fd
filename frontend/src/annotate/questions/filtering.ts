import type { LabelDefinition } from "../../api/types";

/** Puts the focus into the box that filters the answers of a long question. */
export const FILTER_KEY = "shift+f";

/** A question with more labels than this has a box that filters them, and leaves the keys to the others first. */
export const LONG_LIST = 20;

/** Labels that hold every word of `sought`, whatever its case and accents: by name or key first, then by help text. */
export function labelsFound(labels: readonly LabelDefinition[], sought: string): LabelDefinition[] {
  const words = folded(sought).split(/\s+/).filter(Boolean);
  const holds = (text: string) => words.every((word) => folded(text).includes(word));
  const isNamed = (label: LabelDefinition) => holds(`${label.name} ${label.key}`);
  const isHelped = (label: LabelDefinition) =>
    !isNamed(label) && holds([label.name, label.key, label.help, ...(label.examples ?? [])].join(" "));
  return [...labels.filter(isNamed), ...labels.filter(isHelped)];
}

function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();
}
