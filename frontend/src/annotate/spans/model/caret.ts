import {
  graphemeAfter,
  graphemeBefore,
  wordEndAfter,
  wordEndBefore,
  wordStartAfter,
  wordStartBefore,
} from "../../../text/boundaries";
import type { TextModel } from "./textModel";
import { trimmed } from "./trim";
import type { Range, Selection } from "./types";

export type Unit = "character" | "word" | "paragraph" | "text";
export type Way = "back" | "on";

/** Where a step in reading order leads; code points. By words, to where one begins. `paragraph` is what stands between two line breaks. */
export function stepped(model: TextModel, point: number, unit: Unit, way: Way): number {
  const at = model.points.toUnits(point);
  switch (unit) {
    case "character":
      return model.points.toPoint(
        way === "on" ? graphemeAfter(model.text, at) : graphemeBefore(model.text, at),
      );
    case "word":
      return model.points.toPoint(
        way === "on" ? wordStartAfter(model.text, at) : wordStartBefore(model.text, at),
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

/** A step by which a selection grows or shrinks. By words it holds whole ones, without the white space around them. */
export function extended(model: TextModel, { anchor, head }: Selection, unit: Unit, way: Way): Selection {
  if (unit !== "word") return { anchor, head: stepped(model, head, unit, way) };
  const grows = way === "on" ? head >= anchor : head <= anchor;
  const to = wordEdge(model, head, grows === (way === "on") ? "end" : "start", way);
  if (!grows) return { anchor, head: way === "on" ? Math.min(to, anchor) : Math.max(to, anchor) };
  return { anchor: anchor === head ? beside(model, anchor, way) : anchor, head: to };
}

/** Past the white space on that side of a point; the point itself where nothing else follows. */
function beside(model: TextModel, point: number, way: Way): number {
  const side = way === "on" ? { start: point, end: model.points.length } : { start: 0, end: point };
  const { start, end } = trimmed(model, side);
  if (start === end) return point;
  return way === "on" ? start : end;
}

/** The nearest start, or end, of a word on that side. */
function wordEdge({ text, points }: TextModel, point: number, edge: "start" | "end", way: Way): number {
  const find = {
    start: { on: wordStartAfter, back: wordStartBefore },
    end: { on: wordEndAfter, back: wordEndBefore },
  }[edge][way];
  return points.toPoint(find(text, points.toUnits(point)));
}

/** One end of a range moved, never past the other one: by characters wherever that leads, by words to a word's edge. */
export function endMoved(
  model: TextModel,
  range: Range,
  end: "start" | "end",
  unit: "character" | "word",
  way: Way,
): Range {
  const to = unit === "word" ? wordEdge(model, range[end], end, way) : stepped(model, range[end], unit, way);
  const moved = { ...range, [end]: to };
  if (moved.start >= moved.end) return range;
  return unit === "word" ? { ...moved, [end]: trimmed(model, moved)[end] } : moved;
}
