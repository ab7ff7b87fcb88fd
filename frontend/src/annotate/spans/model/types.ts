import type { Mark } from "../../../api/marks";

export type { Mark };

/** A mark with a number of its own, which it keeps through every change. */
export interface EditorSpan extends Mark {
  id: number;
}

/** What is drawn of a span. */
export type Drawn = Pick<EditorSpan, "id" | "start" | "end" | "category">;

/** Code points; `anchor` stays where the selection began, `head` is where the caret stands. */
export interface Selection {
  anchor: number;
  head: number;
}

export interface Range {
  start: number;
  end: number;
}

export function rangeOf({ anchor, head }: Selection): Range {
  return { start: Math.min(anchor, head), end: Math.max(anchor, head) };
}

/** Text order: the order in which spans are listed and sent; of those that begin together the longer one, the outer, first. */
export function inTextOrder(a: Mark, b: Mark): number {
  return byPlace(a, b) || compare(a.comment, b.comment) || compare(a.source ?? "", b.source ?? "");
}

/** The same as far as where they stand and what they are; 0 whatever is said of them. */
export function byPlace(a: Mark, b: Mark): number {
  return a.start - b.start || b.end - a.end || compare(a.category, b.category);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Whether two lists, in whatever order, say the same. */
export function sameMarks(a: readonly Mark[], b: readonly Mark[]): boolean {
  if (a.length !== b.length) return false;
  const [first, second] = [[...a].sort(inTextOrder), [...b].sort(inTextOrder)];
  return first.every((mark, place) => inTextOrder(mark, second[place] ?? mark) === 0);
}

/** A source document of the item, as it is named on the page. */
export interface SourceName {
  id: string;
  title: string;
}
