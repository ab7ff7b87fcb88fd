import type { SpanLayer } from "../../../api/types";
import { categoryOf } from "./editor";

export function colorOf(layer: SpanLayer, key: string): string {
  const category = categoryOf(layer, key);
  return category ? `var(--span-${category.color})` : "var(--mute)";
}

export function nameOf(layer: SpanLayer, key: string): string {
  return categoryOf(layer, key)?.name ?? key;
}
