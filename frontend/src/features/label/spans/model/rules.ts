import type { SpanCategory, SpanLayer } from "../../../../api/types";
import { countBelow } from "../../../../text/codePoints";
import { inTextOrder, type Mark } from "./types";

/** As the server names them (annotation/span_rules.py). What can only be sent, not marked, is left to it. */
export type FaultKind =
  | "category"
  | "twice"
  | "comment_missing"
  | "comment_refused"
  | "comment_text"
  | "outside"
  | "missing"
  | "too_many"
  | "source_missing"
  | "source_refused"
  | "source_unknown";

export interface Fault {
  kind: FaultKind;
  /** The span that it is about, by its place in the list; null: the whole text. */
  place: number | null;
  message: string;
  /** The key of the category that it is about. */
  category: string;
  /** Of a mandatory category: where it is not found, so that several can be said at once. */
  lacks?: { name: string; where: string };
}

export const COMMENT_LENGTH = 10_000;
export const MOST_SPANS = 5_000;

// PostgreSQL stores no NUL, and a lone surrogate is no text in any encoding.
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/**
 * Everything that keeps the spans from being submitted; `spans` stand in text order, `quote` gives a span's words.
 * `sources` are the ids of the item's source documents.
 */
export function faultsOf(
  layer: SpanLayer,
  spans: readonly Mark[],
  quote: (span: Mark) => string,
  sources: ReadonlySet<string>,
): Fault[] {
  const byKey = new Map(layer.categories.map((category) => [category.key, category]));
  const single = spans.flatMap((span, place) => aboutOne(byKey.get(span.category), span, place, sources));
  return [...single, ...repeats(spans), ...occurrence(layer, byKey, spans, quote)];
}

function aboutOne(
  category: SpanCategory | undefined,
  span: Mark,
  place: number,
  sources: ReadonlySet<string>,
): Fault[] {
  const about = (kind: FaultKind, message: string): Fault => ({
    kind,
    place,
    message,
    category: span.category,
  });
  if (!category) return [about("category", `Unknown category "${span.category}".`)];
  const { name } = category;
  const wrongText = span.comment === "" ? null : commentFault(span.comment);
  const found: (Fault | false)[] = [
    wrongText !== null && about("comment_text", wrongText),
    category.comment === "required" &&
      span.comment.trim() === "" &&
      about("comment_missing", `${name} needs a comment.`),
    category.comment === "none" &&
      span.comment !== "" &&
      about("comment_refused", `${name} takes no comment.`),
    sourceFault(category, span, sources, about),
  ];
  return found.filter((fault) => fault !== false);
}

function sourceFault(
  { name, refers }: SpanCategory,
  { source }: Mark,
  sources: ReadonlySet<string>,
  about: (kind: FaultKind, message: string) => Fault,
): Fault | false {
  if (source === null)
    return (
      refers && sources.size > 0 && about("source_missing", `Say which source document this ${name} means.`)
    );
  if (!refers) return about("source_refused", `${name} links to no source document.`);
  return !sources.has(source) && about("source_unknown", "This is none of the item's source documents.");
}

function commentFault(comment: string): string | null {
  const unstorable = UNSTORABLE.exec(comment);
  if (unstorable) {
    const code = unstorable[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return `A character of the comment (U+${code}) cannot be stored: take it out.`;
  }
  // The box holds no more UTF-16 units than this, so that code points need no count of their own.
  return comment.length > COMMENT_LENGTH
    ? `Has ${comment.length} characters; at most 10,000 are kept.`
    : null;
}

/** In text order, what says the same stands side by side. */
function repeats(spans: readonly Mark[]): Fault[] {
  return spans.flatMap((span, place): Fault[] => {
    const before = spans[place - 1];
    if (!before || inTextOrder(before, span) !== 0) return [];
    const { category } = span;
    return [{ kind: "twice", place, message: "Marked twice: leave one out.", category }];
  });
}

interface Placed {
  place: number;
  span: Mark;
}

/** How often each category occurs in each of its scopes, and what lies outside all of them. */
function occurrence(
  layer: SpanLayer,
  byKey: ReadonlyMap<string, SpanCategory>,
  spans: readonly Mark[],
  quote: (span: Mark) => string,
): Fault[] {
  const byCategory = new Map(layer.categories.map(({ key }): [string, Placed[]] => [key, []]));
  for (const [place, span] of spans.entries()) byCategory.get(span.category)?.push({ place, span });
  return layer.categories.flatMap((category) => {
    const own = byCategory.get(category.key) ?? [];
    const scope = category.within === null ? undefined : byKey.get(category.within);
    if (!scope) return counted(category, own.length, null, "the text");
    return scoped(scope, category, byCategory.get(scope.key) ?? [], own, quote);
  });
}

/** Both lists stand in text order, so that each scope looks only at what begins inside it. */
function scoped(
  scope: SpanCategory,
  category: SpanCategory,
  scopes: readonly Placed[],
  own: readonly Placed[],
  quote: (span: Mark) => string,
): Fault[] {
  const covered = new Set<number>();
  const words = (span: Mark) => `"${shortened(quote(span))}"`;
  const inScopes = scopes.flatMap(({ place, span: outer }) => {
    const from = countBelow(own.length, (at) => (own[at]?.span.start ?? 0) < outer.start);
    const to = countBelow(own.length, (at) => (own[at]?.span.start ?? 0) <= outer.end);
    const inside = own.slice(from, to).filter(({ span }) => span.end <= outer.end);
    for (const each of inside) covered.add(each.place);
    return counted(category, inside.length, place, () => `${scope.name} ${words(outer)}`);
  });
  const outside = own.filter(({ place }) => !covered.has(place));
  return [
    ...inScopes,
    ...outside.map(({ place, span }): Fault => {
      const message = `${category.name} ${words(span)} must lie within a ${scope.name}.`;
      return { kind: "outside", place, message, category: category.key };
    }),
  ];
}

function counted(
  category: SpanCategory,
  count: number,
  place: number | null,
  where: string | (() => string),
): Fault[] {
  const { key, name, at_least, at_most } = category;
  const there = () => (typeof where === "string" ? where : where());
  if (count < at_least) {
    const needed = at_least === 1 ? "no" : `only ${count} of ${at_least}`;
    const message = `There is ${needed} ${name} in ${there()}.`;
    const lacks = at_least === 1 ? { name, where: there() } : undefined;
    return [{ kind: "missing", place, message, category: key, lacks }];
  }
  if (at_most !== null && count > at_most) {
    const message = `There are ${count} of ${name} in ${there()}; at most ${at_most} may be.`;
    return [{ kind: "too_many", place, message, category: key }];
  }
  return [];
}

const SHOWN = 40;

function shortened(words: string): string {
  return [...words.slice(0, 2 * SHOWN)].slice(0, SHOWN).join("");
}

/** In words, each thing once, in text order: "There is no Act, Actor in Sentence …." for what one place lacks. */
export function faultWords(faults: readonly Fault[]): string[] {
  const order = (place: number | null) => place ?? Number.POSITIVE_INFINITY;
  const lines = new Map<string, Fault[]>();
  for (const fault of faults.toSorted((a, b) => order(a.place) - order(b.place))) {
    const line = fault.lacks ? `${fault.place} ${fault.lacks.where}` : fault.message;
    lines.set(line, [...(lines.get(line) ?? []), fault]);
  }
  return [...lines.values()].map((alike) => {
    const names = alike.flatMap(({ lacks }) => lacks?.name ?? []);
    const [first] = alike;
    return first?.lacks ? `There is no ${names.join(", ")} in ${first.lacks.where}.` : (first?.message ?? "");
  });
}
