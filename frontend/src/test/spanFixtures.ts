import type { Assignment, SpanCategory, SpanColor, SpanLayer } from "../api/types";
import { assignment } from "./fixtures";

function category(
  key: string,
  color: SpanColor,
  shortcut: string,
  over: Partial<SpanCategory> = {},
): SpanCategory {
  const name = key.charAt(0).toUpperCase() + key.slice(1);
  return {
    ...{ key, name, marker: key.toUpperCase(), color, shortcut, help: "", at_least: 0, at_most: null },
    ...{ comment: "optional", within: null, refers: false },
    ...over,
  };
}

/** Four of the paper's categories: a sentence, and inside each exactly one act, any motives, and references. */
export const LAYER: SpanLayer = {
  target: "sentence",
  categories: [
    category("sentence", "ochre", "1", { comment: "none", at_least: 1 }),
    category("act", "orange", "2", { within: "sentence", at_least: 1, at_most: 1, comment: "required" }),
    category("motive", "green", "3", { within: "sentence" }),
    category("reference", "purple", "4", { refers: true }),
  ],
};

/** The same without any rule: everything may be marked anywhere. */
export const FREE: SpanLayer = {
  target: null,
  categories: ["a", "b", "c", "d", "e"].map((key, place) =>
    category(
      key,
      (["blue", "orange", "green", "purple", "ochre"] as const)[place] ?? "blue",
      String(place + 1),
    ),
  ),
};

/** An item of a codebook with spans and no stages. */
export function spanAssignment(
  id: string,
  text: string,
  layer: SpanLayer = LAYER,
  item: Partial<Assignment["item"]> = {},
  over: Partial<Assignment> = {},
): Assignment {
  const plain = assignment(id);
  const context = { utterance: null, minus_5_sentences: [], minus_200_tokens: [] };
  return {
    ...plain,
    item: { ...plain.item, text, context, ...item },
    codebook: { id: "spans", version: 1, definition: { name: "Spans", stages: [], span_layer: layer } },
    ...over,
  };
}
