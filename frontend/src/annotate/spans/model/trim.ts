import type { TextModel } from "./textModel";
import type { Range } from "./types";

/** Without the white space at its edges; empty where it holds nothing else. White space takes one UTF-16 unit a piece. */
export function trimmed({ points }: TextModel, { start, end }: Range): Range {
  const words = points.slice(start, end);
  const first = start + words.length - words.trimStart().length;
  return { start: first, end: Math.max(first, end - (words.length - words.trimEnd().length)) };
}
