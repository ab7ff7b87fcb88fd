import { isRightToLeft, wordEndAfter } from "../../../text/boundaries";
import { CodePoints, countBelow } from "../../../text/codePoints";

/** A stretch of the text that is drawn, and drawn again, as one: a line of it, or a part of a very long line. */
export interface Block {
  /** Code points, half-open. */
  start: number;
  end: number;
  /** The same in UTF-16 units. */
  from: number;
  to: number;
  isRightToLeft: boolean;
}

/** A text and what is worked out about it once. Nothing is left out between two blocks. */
export interface TextModel {
  text: string;
  points: CodePoints;
  blocks: readonly Block[];
}

/** UTF-16 units; a line that is longer is cut, preferably behind a sentence. */
const LONGEST = 2_000;

export function textModel(text: string): TextModel {
  const points = new CodePoints(text);
  const cuts = cutsOf(text);
  const blocks = cuts.map((to, place) => {
    const from = cuts[place - 1] ?? 0;
    const [start, end] = [points.toPoint(from), points.toPoint(to)];
    return { start, end, from, to, isRightToLeft: isRightToLeft(text.slice(from, to)) };
  });
  return { text, points, blocks };
}

/** The end of every block, ascending. */
function cutsOf(text: string): number[] {
  const cuts: number[] = [];
  // A line's end belongs to it: CR LF is never cut.
  for (const line of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const end = line.index + line[0].length;
    let from = line.index;
    while (end - from > LONGEST) {
      from = cutWithin(text, from, from + LONGEST);
      cuts.push(from);
    }
    cuts.push(end);
  }
  return cuts;
}

/** Behind the last sentence that ends in the second half, else before the last word, else after the word at the limit. */
function cutWithin(text: string, from: number, limit: number): number {
  const half = from + LONGEST / 2;
  const part = text.slice(half, limit);
  const sentence = [...part.matchAll(/[.!?]["”’)]?\s+(?=\p{L})/gu)].at(-1);
  const word = sentence ?? [...part.matchAll(/\s+(?=[\p{L}\p{N}])/gu)].at(-1);
  return word ? half + word.index + word[0].length : wordEndAfter(text, limit);
}

/** The block in which a code point stands; the last one for the text's end. */
export function blockAt({ blocks }: TextModel, point: number): number {
  const place = countBelow(blocks.length, (at) => (blocks[at]?.end ?? 0) <= point);
  return Math.max(0, Math.min(place, blocks.length - 1));
}
