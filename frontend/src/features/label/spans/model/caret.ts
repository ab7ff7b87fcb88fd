import { graphemeAfter, graphemeBefore, wordEndAfter, wordStartBefore } from "../../../../text/boundaries";
import { blockAt, type TextModel } from "./textModel";

export type Unit = "character" | "word" | "line" | "text";
export type Way = "back" | "on";

/** Where a step in reading order leads; code points. `line` is a line of the text, not one of the screen. */
export function stepped(model: TextModel, point: number, unit: Unit, way: Way): number {
  const at = model.points.toUnits(point);
  switch (unit) {
    case "character":
      return model.points.toPoint(
        way === "on" ? graphemeAfter(model.text, at) : graphemeBefore(model.text, at),
      );
    case "word":
      return model.points.toPoint(
        way === "on" ? wordEndAfter(model.text, at) : wordStartBefore(model.text, at),
      );
    case "line":
      return lineEnd(model, point, way);
    case "text":
      return way === "on" ? model.points.length : 0;
  }
}

/** Before a line's break: there the caret is seen in that line. */
function lineEnd(model: TextModel, point: number, way: Way): number {
  const block = model.blocks[blockAt(model, point)];
  if (!block) return 0;
  if (way === "back") return block.start;
  const text = model.text.slice(block.from, block.to);
  return block.end - (/\r?\n$/.exec(text)?.[0].length ?? 0);
}

/** One end of a range moved; never past the other one. */
export function endMoved(
  model: TextModel,
  range: { start: number; end: number },
  end: "start" | "end",
  unit: Unit,
  way: Way,
): { start: number; end: number } {
  const to = stepped(model, range[end], unit, way);
  if (end === "start") return to < range.end ? { start: to, end: range.end } : range;
  return to > range.start ? { start: range.start, end: to } : range;
}
