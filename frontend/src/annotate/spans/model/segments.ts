import type { Placed } from "./lanes";
import type { Block, TextModel } from "./textModel";

/** A stretch of a block through which no span begins or ends. */
export interface Segment {
  /** UTF-16 units. */
  from: number;
  text: string;
  /** What covers it, outer ones first. */
  spans: readonly Placed[];
  /** Those that begin here; a span that goes on from an earlier block does not. */
  begins: readonly Placed[];
  /** It begins where a line would not be broken: inside a word, or behind what opens one. */
  isWithinWord: boolean;
  /** Ids of those that end with it. */
  ends: ReadonlySet<number>;
}

/** Cuts a block at every end of a span. The texts, one after the other, are the block's text. */
export function segmentsOf(model: TextModel, block: Block, spans: readonly Placed[]): Segment[] {
  const inside = (point: number) => point > block.start && point < block.end;
  const ends = spans.flatMap(({ start, end }) => [start, end]).filter(inside);
  const cuts = [...new Set([block.start, ...ends, block.end])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((start, place) => {
    const end = cuts[place + 1] ?? block.end;
    const covering = spans.filter((span) => span.start <= start && span.end >= end);
    return {
      from: model.points.toUnits(start),
      text: model.points.slice(start, end),
      spans: covering,
      begins: covering.filter((span) => span.start === start),
      isWithinWord: start > block.start && UNBROKEN.test(model.points.slice(start - 1, start)),
      ends: new Set(covering.filter((span) => span.end === end).map(({ id }) => id)),
    };
  });
}

const UNBROKEN = /[\p{L}\p{M}\p{N}\p{Ps}\p{Pi}"'“‘]/u;

export function laneCount(spans: readonly Placed[]): number {
  return spans.reduce((most, { lane }) => Math.max(most, lane + 1), 0);
}

/** Every span over a code point, innermost first: the order in which clicks there reach them. */
export function spansAt<T extends { start: number; end: number }>(spans: readonly T[], point: number): T[] {
  return spans
    .filter(({ start, end }) => start <= point && point < end)
    .sort((a, b) => a.end - a.start - (b.end - b.start));
}
