import type { SpanCategory, SpanLayer } from "../../../api/types";
import { nameOf } from "./categories";

/** How often, inside what, with what comment: "Exactly one in every Sentence. A comment is needed." */
export function categoryWords(category: SpanCategory, layer: SpanLayer): string {
  const parts = [
    `${occurrence(category)} ${category.within ? `in every ${nameOf(layer, category.within)}` : "in the text"}`,
    category.within && `marked only inside spans of ${nameOf(layer, category.within)}`,
    commentWords(category),
    category.refers && "linked to the source document that it means",
  ];
  const words = parts.filter(Boolean).join("; ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function occurrence({ at_least: least, at_most: most }: SpanCategory): string {
  if (most === null) return least === 0 ? "any number" : `${amount(least)} or more`;
  if (least === most) return `exactly ${amount(most)}`;
  return least === 0 ? `at most ${amount(most)}` : `${least} to ${most}`;
}

function amount(count: number): string {
  return count === 1 ? "one" : String(count);
}

function commentWords({ comment }: SpanCategory): string {
  if (comment === "required") return "a comment is needed";
  return comment === "optional" ? "a comment may be written" : "no comment";
}
