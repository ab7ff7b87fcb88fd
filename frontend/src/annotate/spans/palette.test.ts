import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COLORS as NAMES } from "../ColorMark";

const css = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const palette = css("./palette.css");
const page = css("../../styles/tokens.css");

type Rgb = [number, number, number];

type Scheme = "light" | "dark";

function colorIn(sheet: string, name: string, scheme: Scheme): Rgb {
  const found = new RegExp(`--${name}: light-dark\\(#([0-9a-f]{6}), #([0-9a-f]{6})\\);`).exec(sheet);
  const hex = found?.[scheme === "light" ? 1 : 2] ?? "";
  expect(hex, `--${name} is a colour`).not.toBe("");
  return [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as Rgb;
}

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

/** WCAG 2.2, relative luminance and contrast ratio. */
function luminance(color: Rgb): number {
  const [red, green, blue] = color.map(linear) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** As `color-mix(in srgb, color 18%, transparent)` over the card. */
const filled = (color: Rgb, card: Rgb) =>
  card.map((part, at) => 0.82 * part + 0.18 * (color[at] ?? 0)) as Rgb;

/** Full loss of one kind of cone, in linear RGB (Machado, Oliveira and Fernandes 2009, severity 1). */
const BLINDNESS: Record<string, number[][]> = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

/** CIE L*a*b* (D65) of linear RGB. */
function lab([red, green, blue]: Rgb): Rgb {
  const x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047;
  const y = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883;
  const [fx, fy, fz] = [x, y, z].map((t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)) as Rgb;
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

function seenBy(matrix: number[][], color: Rgb): Rgb {
  const parts = color.map(linear);
  return lab(
    matrix.map((row) =>
      Math.min(
        1,
        Math.max(
          0,
          row.reduce((sum, weight, at) => sum + weight * (parts[at] ?? 0), 0),
        ),
      ),
    ) as Rgb,
  );
}

const distance = (a: Rgb, b: Rgb) => Math.hypot(...a.map((part, at) => part - (b[at] ?? 0)));

describe.each<Scheme>(["light", "dark"])("the %s colours of spans", (scheme) => {
  const card = colorIn(page, "card", scheme);
  it.each(NAMES)("%s is read on the card, and on the fill of a span in hand", (name) => {
    const color = colorIn(palette, `span-${name}`, scheme);
    expect(contrast(color, card)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(color, filled(color, card))).toBeGreaterThanOrEqual(3);
  });

  it.each(Object.keys(BLINDNESS))("are twelve different ones with %s", (kind) => {
    const seen = NAMES.map(
      (name) => [name, seenBy(BLINDNESS[kind] ?? [], colorIn(palette, `span-${name}`, scheme))] as const,
    );
    const near = seen.flatMap(([name, color], at) =>
      seen
        .slice(at + 1)
        .map(([other, its]) => [distance(color, its), name, other] as const)
        .filter(([far]) => far < 10),
    );
    expect(near).toEqual([]);
  });
});
