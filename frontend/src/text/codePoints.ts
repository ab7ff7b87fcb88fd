/**
 * Places of a text in Unicode code points, as they are stored, and in UTF-16 units, as the browser counts. A pair of
 * surrogates is one code point; a place inside a pair is taken for its start.
 */
export class CodePoints {
  readonly text: string;
  readonly length: number;
  /** Code point places of the characters that take two units, ascending. */
  private readonly wide: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.wide = widePlaces(text);
    this.length = text.length - this.wide.length;
  }

  toUnits(point: number): number {
    return point + countBelow(this.wide.length, (place) => this.widePoint(place) < point);
  }

  toPoint(unit: number): number {
    return unit - countBelow(this.wide.length, (place) => this.widePoint(place) + place < unit);
  }

  slice(start: number, end: number): string {
    return this.text.slice(this.toUnits(start), this.toUnits(end));
  }

  private widePoint(place: number): number {
    return this.wide[place] ?? Number.POSITIVE_INFINITY;
  }
}

const PAIR = /[\u{10000}-\u{10ffff}]/gu;

function widePlaces(text: string): number[] {
  return [...text.matchAll(PAIR)].map((match, before) => match.index - before);
}

/** How many of `length` ascending things are below: `isBelow` holds for the first ones and for no other. */
export function countBelow(length: number, isBelow: (place: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
