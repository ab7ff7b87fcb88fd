/** What the charts are drawn from: plain numbers, no options of the library. */

export interface Point {
  x: number;
  /** null: nothing was measured there; the line is broken. */
  y: number | null;
  low?: number | null;
  high?: number | null;
}

export interface Series {
  label: string;
  points: readonly Point[];
  /** Place in the palette; else the place in the list. The same thing keeps its colour from chart to chart. */
  tone?: number;
  /** A quieter line, such as a figure that stands only for comparison. */
  dashed?: boolean;
}

/** A level across the whole chart, such as a threshold or a baseline with its interval. */
export interface Reference {
  label: string;
  y: number;
  low?: number | null;
  high?: number | null;
}

export interface Axis {
  name: string;
  min?: number;
  max?: number;
  /** Ticks at whole numbers only. */
  isWhole?: boolean;
  /** From tick to tick; the ends should be multiples of it. */
  step?: number;
  /** About how many ticks; a low drawing has room for few. */
  ticks?: number;
  /** How a value is written at the axis, in the tooltip and in the table. */
  words?: (value: number) => string;
}

/**
 * From 0 to 1, or from as far below 0 as a value reaches, in even steps: an end beside the last tick is written over it.
 * `isLow`: a drawing with room for few ticks.
 */
export function coefficientEnds(values: readonly (number | null | undefined)[], isLow = false) {
  const least = Math.min(0, ...values.map((value) => value ?? 0));
  const step = isLow || least < 0 ? 0.5 : 0.2;
  return { min: least < 0 ? step * Math.floor(least / step) : 0, max: 1, step };
}

/** One point of an interval plot. `short` stands at the axis, where many must fit. */
export interface IntervalPoint {
  label: string;
  short?: string;
  y: number | null;
  low?: number | null;
  high?: number | null;
}

export interface Stack {
  label: string;
  short?: string;
  /** By the keys of the parts; what is missing is 0. */
  values: Readonly<Record<string, number>>;
}

export interface Part {
  key: string;
  label: string;
  tone?: number | "quiet";
}

export const N_TONES = 6;

export function toneOf(tone: number | undefined, place: number): number {
  return (tone ?? place) % N_TONES;
}

export function axisWords(axis: Axis, value: number): string {
  return axis.words ? axis.words(value) : String(Number(value.toFixed(4)));
}
