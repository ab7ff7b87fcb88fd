import { N_TONES } from "./model";

/** Colours and sizes as the page has them now: the library paints by value and knows no CSS variables. */
export interface Palette {
  tones: readonly string[];
  quiet: string;
  ink: string;
  mute: string;
  line: string;
  card: string;
  font: string;
  /** Pixels of the small text, so that charts grow with the reader's text. */
  size: number;
}

export function readPalette(element: Element): Palette {
  const font = getComputedStyle(element).getPropertyValue("--sans").trim() || "sans-serif";
  // A variable holds a colour for light and one for dark: only a property of an element tells which holds here.
  const probe = element.appendChild(document.createElement("i"));
  const value = (name: string, otherwise: string) => {
    probe.style.color = `var(${name}, ${otherwise})`;
    return getComputedStyle(probe).color || otherwise;
  };
  const palette = {
    tones: Array.from({ length: N_TONES }, (_, place) => value(`--tone-${place}`, "#5d636b")),
    quiet: value("--tone-quiet", "#b9bbb6"),
    ink: value("--ink", "#1c1e21"),
    mute: value("--mute", "#5d636b"),
    line: value("--line", "#e3e3df"),
    card: value("--card", "#ffffff"),
    font,
    size: 0.75 * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16),
  };
  probe.remove();
  return palette;
}

/** By the palette's place: the second sign by which a line is told from the others. */
export const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [9, 3, 2, 3], [12, 4], [4, 2]];

const LEVEL_DASHES: readonly number[][] = [
  [5, 4],
  [1, 4],
  [12, 3, 2, 3],
];

/** Levels have no colour of their own: their dashes tell them apart. */
export function levelDash(place: number): number[] {
  return LEVEL_DASHES[place % LEVEL_DASHES.length] ?? [];
}
