import type { SpanOut } from "../../../api/types";
import { listed } from "../../../text/format";

/** An annotation as it is compared; skipped ones are none. */
export interface Compared {
  letter: string;
  spans: readonly SpanOut[];
}

/** `all`: everyone has it; `told`: everyone marked it, with other comments or sources; else `some`, or `only` this one. */
type Likeness = "all" | "told" | "some" | "only";

/** What is said of a span, by shape and in words. */
export interface Comparison {
  likeness: Likeness;
  words: string;
}

export const SHAPES: Record<Likeness, string> = { all: "●", told: "◉", some: "◐", only: "○" };

export interface Summary {
  /** Spans, each counted once. */
  common: number;
  different: number;
}

/** Letter -> a comparison for each of its spans, in their order; nothing where there is nobody to compare with. */
type Comparisons = ReadonlyMap<string, readonly Comparison[]>;

/** `nameOf` gives a category's name. */
export function compareAll(
  annotations: readonly Compared[],
  nameOf: (category: string) => string,
): Comparisons {
  if (annotations.length < 2) return new Map();
  const indexes = new Map(annotations.map((each) => [each.letter, indexOf(each.spans)]));
  return new Map(
    annotations.map(({ letter, spans }) => {
      const others = [...indexes].filter(([other]) => other !== letter);
      return [letter, spans.map((span) => compared(span, letter, others, nameOf))];
    }),
  );
}

/** A span that all have counts once, whatever was written to it; every other one for each range and category. */
export function summaryOf(annotations: readonly Compared[]): Summary {
  const holders = new Map<string, Set<string>>();
  for (const { letter, spans } of annotations)
    for (const span of spans) {
      const key = keyOf(span);
      holders.set(key, (holders.get(key) ?? new Set<string>()).add(letter));
    }
  const common = [...holders.values()].filter(({ size }) => size === annotations.length).length;
  return { common, different: holders.size - common };
}

interface Index {
  byKey: ReadonlyMap<string, readonly SpanOut[]>;
  byRange: ReadonlyMap<string, readonly SpanOut[]>;
  byCategory: ReadonlyMap<string, readonly SpanOut[]>;
}

function indexOf(spans: readonly SpanOut[]): Index {
  return {
    byKey: grouped(spans, keyOf),
    byRange: grouped(spans, ({ start, end }) => `${start} ${end}`),
    byCategory: grouped(spans, ({ category }) => category),
  };
}

function grouped(spans: readonly SpanOut[], by: (span: SpanOut) => string): Map<string, SpanOut[]> {
  const groups = new Map<string, SpanOut[]>();
  for (const span of spans) {
    const group = groups.get(by(span));
    if (group) group.push(span);
    else groups.set(by(span), [span]);
  }
  return groups;
}

function keyOf({ start, end, category }: SpanOut): string {
  return `${start} ${end} ${category}`;
}

type Other = readonly [letter: string, index: Index];

function compared(
  span: SpanOut,
  own: string,
  others: readonly Other[],
  nameOf: (category: string) => string,
): Comparison {
  const having = others.filter(([, { byKey }]) => byKey.has(keyOf(span)));
  const lacking = others.filter(([, { byKey }]) => !byKey.has(keyOf(span)));
  if (lacking.length === 0) {
    const apart = having.filter(([, index]) => !hasSaid(index, span));
    if (apart.length === 0) return { likeness: "all", words: others.length === 1 ? "both" : "all" };
    return { likeness: "told", words: apartWords(span, apart) };
  }
  const near = lacking.flatMap(([letter, index]) => nearWords(span, letter, index, nameOf) ?? []);
  const holders = [own, ...having.map(([letter]) => letter)].sort(byLetter);
  return {
    likeness: having.length > 0 ? "some" : "only",
    words: [`only ${listed(holders)}`, ...near].join("; "),
  };
}

/** A, B ... Z, AA. */
function byLetter(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

function hasSaid({ byKey }: Index, span: SpanOut): boolean {
  return (byKey.get(keyOf(span)) ?? []).some(
    ({ comment, source }) => comment === span.comment && source === span.source,
  );
}

function apartWords(span: SpanOut, apart: readonly Other[]): string {
  const theirs = apart.flatMap(([, { byKey }]) => byKey.get(keyOf(span)) ?? []);
  const what = theirs.some(({ comment }) => comment !== span.comment) ? "another comment" : "another source";
  return `${what} in ${listed(apart.map(([letter]) => letter))}`;
}

/** What stands there in its place: another category, or the same one with other ends. */
function nearWords(
  span: SpanOut,
  letter: string,
  { byRange, byCategory }: Index,
  nameOf: (category: string) => string,
): string | null {
  const there = byRange.get(`${span.start} ${span.end}`);
  if (there)
    return `${letter}: ${[...new Set(there.map(({ category }) => nameOf(category)))].join(", ")} here`;
  const near = (byCategory.get(span.category) ?? []).some(
    ({ start, end }) => start < span.end && end > span.start,
  );
  return near ? `${letter}: other ends` : null;
}
