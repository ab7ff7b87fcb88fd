import { type Placed, placeInLanes } from "./lanes";
import type { TextModel } from "./textModel";
import type { Drawn } from "./types";

/** The spans that touch each block, outer ones first. */
export interface Layout {
  placed: ReadonlyMap<number, Placed>;
  byBlock: readonly (readonly Placed[])[];
}

export const NO_LAYOUT: Layout = { placed: new Map(), byBlock: [] };

const NOTHING: readonly Placed[] = [];

/** Blocks that a change does not touch keep the very list that they had, so that only the others are drawn again. */
export function layOut(model: TextModel, spans: readonly Drawn[], before: Layout): Layout {
  const { blocks } = model;
  const placed = placeInLanes(spans, before.placed);
  const lists: Placed[][] = blocks.map(() => []);
  let first = 0;
  for (const span of placed.values()) {
    while ((blocks[first]?.end ?? span.end) <= span.start) first += 1;
    for (let at = first; (blocks[at]?.start ?? span.end) < span.end; at += 1) lists[at]?.push(span);
  }
  const byBlock = lists.map((list, at) => {
    const known = before.byBlock[at] ?? NOTHING;
    if (list.length === known.length && list.every((span, place) => span === known[place])) return known;
    return list;
  });
  return { placed, byBlock };
}
