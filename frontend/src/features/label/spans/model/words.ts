import type { SpanLayer } from "../../../../api/types";
import { categoryOf } from "./editor";

export function colorOf(layer: SpanLayer, key: string): string {
  const category = categoryOf(layer, key);
  return category ? `var(--span-${category.color})` : "var(--mute)";
}

export function nameOf(layer: SpanLayer, key: string): string {
  return categoryOf(layer, key)?.name ?? key;
}

/** Beginning and end of a long quote, for a line of a list. */
export function shortQuote(quote: string, longest = 60): string {
  const words = quote.replaceAll(/\s+/g, " ").trim();
  const letters = [...words];
  if (letters.length === 0) return "white space";
  if (letters.length <= longest) return words;
  const half = Math.floor((longest - 3) / 2);
  return `${letters.slice(0, half).join("").trimEnd()} … ${letters.slice(-half).join("").trimStart()}`;
}
