import { graphemeAfter, graphemeBefore, wordEndAfter, wordStartBefore } from "../../../../text/boundaries";
import type { TextModel } from "./textModel";

export type Unit = "character" | "word" | "paragraph" | "text";
export type Way = "back" | "on";

/** Where a step in reading order leads; code points. `paragraph` is what stands between two line breaks. */
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
    case "paragraph":
      return paragraphEnd(model, point, way);
    case "text":
      return way === "on" ? model.points.length : 0;
  }
}

/** Before the break: there the caret is seen in the paragraph that it ends; so it is behind the text's last break too. */
function paragraphEnd({ text, points }: TextModel, point: number, way: Way): number {
  const at = points.toUnits(point);
  const seen = at === text.length && text.endsWith("\n") ? at - 1 : at;
  if (way === "back") return points.toPoint(seen === 0 ? 0 : text.lastIndexOf("\n", seen - 1) + 1);
  const end = text.indexOf("\n", seen);
  if (end === -1) return points.length;
  return points.toPoint(text[end - 1] === "\r" ? end - 1 : end);
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
