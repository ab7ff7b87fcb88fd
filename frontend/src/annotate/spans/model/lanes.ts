import type { Drawn } from "./types";

/** A span with the lane of its underline; lane 0 is the nearest to the text. */
export interface Placed extends Drawn {
  lane: number;
}

/**
 * A lane for every span, so that no two in one lane share a character: from the left, longer ones first, each in the
 * lowest lane that is free; by id, in that order. Of `before`, what stays the same stays the same object.
 */
export function placeInLanes(
  spans: readonly Drawn[],
  before: ReadonlyMap<number, Placed>,
): Map<number, Placed> {
  const laneEnds: number[] = [];
  const placed = new Map<number, Placed>();
  for (const span of [...spans].sort(outerFirst)) {
    const free = laneEnds.findIndex((end) => end <= span.start);
    const lane = free === -1 ? laneEnds.length : free;
    laneEnds[lane] = span.end;
    const known = before.get(span.id);
    const isKnown = known && known.lane === lane && isDrawnAlike(known, span);
    placed.set(span.id, isKnown ? known : drawnOf(span, lane));
  }
  return placed;
}

function drawnOf({ id, start, end, category }: Drawn, lane: number): Placed {
  return { id, start, end, category, lane };
}

function isDrawnAlike(a: Drawn, b: Drawn): boolean {
  return a.start === b.start && a.end === b.end && a.category === b.category;
}

function outerFirst(a: Drawn, b: Drawn): number {
  return a.start - b.start || b.end - a.end || a.id - b.id;
}
