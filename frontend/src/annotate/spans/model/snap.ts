import { pieceAround } from "../../../text/boundaries";
import { blockAt, type TextModel } from "./textModel";
import type { Selection } from "./types";

/** A selection grown to whole words. It keeps its direction; a caret stays where it is. */
export function snapped(model: TextModel, { anchor, head }: Selection): Selection {
  if (anchor === head) return { anchor, head };
  const start = edges(model, Math.min(anchor, head))[0];
  const end = edges(model, Math.max(anchor, head))[1];
  return anchor < head ? { anchor: start, head: end } : { anchor: end, head: start };
}

/** Of the word that a point stands inside. Words are told within a block, so that long texts cost no more than short ones. */
function edges(model: TextModel, point: number): [start: number, end: number] {
  const block = model.blocks[blockAt(model, point)];
  if (!block) return [point, point];
  const at = model.points.toUnits(point) - block.from;
  const [from, to] = pieceAround(model.text.slice(block.from, block.to), at);
  return [model.points.toPoint(block.from + from), model.points.toPoint(block.from + to)];
}
