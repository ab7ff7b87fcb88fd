import { isComment } from "../../../api/marks";
import type { SpanCategory, SpanLayer } from "../../../api/types";
import { count, counted as counts } from "../../../text/format";
import { quoted } from "./quoted";
import { inTextOrder, type Mark } from "./types";

/** As the server names them (annotation/span_rules.py). What can only be sent, not marked, is left to it. */
type FaultKind =
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

/** Of a comment on a span or an item, as on the server (codebook/spans.py). */
export const COMMENT_LENGTH = 10_000;

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
  const words = (span: Mark) => quoted(quote(span));
  const named = (span: Mark) => `${byKey.get(span.category)?.name ?? span.category} ${words(span)}`;
  const single = spans.flatMap((span, place) => {
    const category = byKey.get(span.category);
    if (category) return aboutOne(category, span, place, sources, words, named);
    const keys = [...byKey.keys()].join(", ");
    const message = `${words(span)} has the unknown category ${quoted(span.category)}. Categories here: ${keys}.`;
    return [{ kind: "category", place, message, category: span.category } as const];
  });
  return [...single, ...repeats(spans, named), ...occurrence(layer, byKey, spans, named)];
}

type Words = (span: Mark) => string;

function aboutOne(
  category: SpanCategory,
  span: Mark,
  place: number,
  sources: ReadonlySet<string>,
  words: Words,
  named: Words,
): Fault[] {
  const about = (kind: FaultKind, message: string): Fault => ({
    kind,
    place,
    message,
    category: span.category,
  });
  const wrongText = span.comment === "" ? null : commentFault(span.comment);
  const found: (Fault | false)[] = [
    wrongText !== null && about("comment_text", `The comment of ${words(span)}: ${wrongText}`),
    category.comment === "required" &&
      !isComment(span.comment) &&
      about("comment_missing", `${named(span)} needs a comment.`),
    category.comment === "none" &&
      isComment(span.comment) &&
      about("comment_refused", `${named(span)} takes no comment.`),
    sourceFault(category, span, sources, named, about),
  ];
  return found.filter((fault) => fault !== false);
}

function sourceFault(
  { refers }: SpanCategory,
  span: Mark,
  sources: ReadonlySet<string>,
  named: Words,
  about: (kind: FaultKind, message: string) => Fault,
): Fault | false {
  if (span.source === null)
    return (
      refers && sources.size > 0 && about("source_missing", `Say which source document ${named(span)} means.`)
    );
  if (!refers) return about("source_refused", `${named(span)} may link to no source document.`);
  return (
    !sources.has(span.source) &&
    about("source_unknown", `${named(span)} links to none of the item's source documents.`)
  );
}

function commentFault(comment: string): string | null {
  const size = comment.length > COMMENT_LENGTH ? [...comment].length : 0;
  if (size > COMMENT_LENGTH)
    return `has ${count(size)} characters; at most ${count(COMMENT_LENGTH)} are kept.`;
  const unstorable = UNSTORABLE.exec(comment);
  if (!unstorable) return null;
  const place = [...comment.slice(0, unstorable.index)].length + 1;
  const code = unstorable[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return `character ${place} (U+${code}) cannot be stored: take it out.`;
}

/** In text order, what says the same stands side by side. */
function repeats(spans: readonly Mark[], named: Words): Fault[] {
  return spans.flatMap((span, place): Fault[] => {
    const before = spans[place - 1];
    if (!before || inTextOrder(before, span) !== 0) return [];
    const { category } = span;
    return [{ kind: "twice", place, message: `${named(span)} is marked twice: leave one out.`, category }];
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
  named: Words,
): Fault[] {
  const byCategory = new Map(layer.categories.map(({ key }): [string, Placed[]] => [key, []]));
  for (const [place, span] of spans.entries()) byCategory.get(span.category)?.push({ place, span });
  return layer.categories.flatMap((category) => {
    const own = byCategory.get(category.key) ?? [];
    const scope = category.within === null ? undefined : byKey.get(category.within);
    if (!scope) return counted(category, own.length, null, "The text");
    return scoped(scope, category, byCategory.get(scope.key) ?? [], own, named);
  });
}

/**
 * Both lists stand in text order, so that each scope looks only at what begins inside it. Of scopes over the same
 * range the first one speaks for all.
 */
function scoped(
  scope: SpanCategory,
  category: SpanCategory,
  scopes: readonly Placed[],
  own: readonly Placed[],
  named: Words,
): Fault[] {
  const covered = new Set<number>();
  let first = 0;
  const inScopes = scopes.flatMap(({ place, span: outer }, at) => {
    const before = scopes[at - 1]?.span;
    if (before?.start === outer.start && before.end === outer.end) return [];
    while (startOf(own[first]) < outer.start) first += 1;
    let inside = 0;
    for (let at = first; startOf(own[at]) <= outer.end; at += 1) {
      const each = own[at];
      if (!each || each.span.end > outer.end) continue;
      covered.add(each.place);
      inside += 1;
    }
    return counted(category, inside, place, () => named(outer));
  });
  const outside = own.filter(({ place }) => !covered.has(place));
  return [
    ...inScopes,
    ...outside.map(({ place, span }): Fault => {
      const message = `${named(span)} lies in no ${scope.name}: it must be inside one.`;
      return { kind: "outside", place, message, category: category.key };
    }),
  ];
}

/** Behind the last one: nowhere. */
function startOf(placed: Placed | undefined): number {
  return placed?.span.start ?? Number.POSITIVE_INFINITY;
}

function counted(
  category: SpanCategory,
  found: number,
  place: number | null,
  where: string | (() => string),
): Fault[] {
  const { key, name, at_least, at_most } = category;
  const there = () => (typeof where === "string" ? where : where());
  if (found < at_least) {
    const lacks = at_least === 1 ? { name, where: there() } : undefined;
    const message = lacks
      ? lackWords(lacks.where, [name])
      : `${there()} has ${amount(found)} of ${name}; at least ${at_least} must be.`;
    return [{ kind: "missing", place, message, category: key, lacks }];
  }
  if (at_most !== null && found > at_most) {
    const message = `${there()} has ${amount(found)} of ${name}; at most ${at_most} may be.`;
    return [{ kind: "too_many", place, message, category: key }];
  }
  return [];
}

function amount(found: number): string {
  return found === 0 ? "no span" : counts(found, "span");
}

/** "Sentence “…” has no Act, no Actor and no Reference yet." */
function lackWords(where: string, names: readonly string[]): string {
  const lacking = names.map((name) => `no ${name}`);
  const last = lacking.at(-1) ?? "";
  const all = lacking.length > 1 ? `${lacking.slice(0, -1).join(", ")} and ${last}` : last;
  return `${where} has ${all} yet.`;
}

/**
 * In words, in text order: what one place lacks in one line, and what several places with the same words share in one
 * line that counts them.
 */
export function faultWords(faults: readonly Fault[]): string[] {
  const order = (place: number | null) => place ?? Number.POSITIVE_INFINITY;
  const byPlace = new Map<string, Fault[]>();
  for (const fault of faults.toSorted((a, b) => order(a.place) - order(b.place))) {
    const line = `${fault.place} ${fault.lacks?.where ?? fault.message}`;
    byPlace.set(line, [...(byPlace.get(line) ?? []), fault]);
  }
  const places = new Map<string, number>();
  for (const alike of byPlace.values()) {
    const names = alike.flatMap(({ lacks }) => lacks?.name ?? []);
    const line =
      names.length > 0 ? lackWords(alike[0]?.lacks?.where ?? "", names) : (alike[0]?.message ?? "");
    places.set(line, (places.get(line) ?? 0) + 1);
  }
  return [...places].map(([line, times]) => (times > 1 ? `${line} (${times} places)` : line));
}
