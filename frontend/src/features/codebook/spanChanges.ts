import type { SpanCategory, SpanLayer } from "../../api/types";
import { type Change, change, texts } from "./change";

const LAYER = "span_layer";

/** What a new version of a span layer changes, as annotation_app/codebook/span_compatibility.py judges it. */
export function layerChanges(old: SpanLayer | null, next: SpanLayer | null): Change[] {
  if (!old && !next) return [];
  if (!old) return [change(LAYER, "added", Boolean(next?.categories.some(({ at_least }) => at_least > 0)))];
  if (!next) return [change(LAYER, "removed", true)];
  const target =
    old.target === next.target
      ? []
      : [change(`${LAYER}.target`, `changed from ${shown(old.target)} to ${shown(next.target)}`, false)];
  return [
    ...target,
    ...old.categories.flatMap((category) => {
      const kept = next.categories.find(({ key }) => key === category.key);
      return kept ? categoryChanges(category, kept) : [change(path(category), "category removed", true)];
    }),
    ...next.categories
      .filter(({ key }) => !old.categories.some((known) => known.key === key))
      .map((category) => {
        const needed = category.at_least > 0;
        return change(path(category), `${needed ? "mandatory" : "optional"} category added`, needed);
      }),
  ];
}

function path({ key }: SpanCategory): string {
  return `${LAYER}.categories.${key}`;
}

function shown(value: string | number | null): string {
  return value === null ? "none" : String(value);
}

function categoryChanges(old: SpanCategory, next: SpanCategory): Change[] {
  const at = path(old);
  const changed = <K extends keyof SpanCategory & string>(name: K, breaking: boolean, words?: string) =>
    old[name] === next[name]
      ? []
      : [
          change(
            `${at}.${name}`,
            words ?? `changed from ${shown(old[name] as string)} to ${shown(next[name] as string)}`,
            breaking,
          ),
        ];
  const narrower = next.at_most !== null && (old.at_most === null || next.at_most < old.at_most);
  return [
    ...texts(at, old, next, ["name", "marker", "color", "shortcut", "help"]),
    ...changed("within", next.within !== null),
    ...changed("at_least", next.at_least > old.at_least),
    ...changed("at_most", narrower),
    // From "none" to "optional" everything stays allowed; every other way something that was accepted is not.
    ...changed("comment", next.comment !== "optional"),
    ...changed("refers", true, next.refers ? "spans link to a source" : "spans link to no source"),
  ];
}
