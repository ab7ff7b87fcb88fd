import type { Axis, Reference } from "./model";
import { axisWords } from "./model";
import { levelDash, type Palette } from "./palette";

/** Pieces of options that several charts share. */

export function textStyle(palette: Palette) {
  return { fontFamily: palette.font, fontSize: palette.size, color: palette.mute };
}

/** The names of the axes stand above and below the drawing, so that no label is cut. */
export function grid(palette: Palette, xIsNamed = false) {
  return {
    left: 4,
    right: 16,
    top: 2.2 * palette.size,
    bottom: xIsNamed ? 2.2 * palette.size : 4,
    outerBoundsMode: "same",
    outerBoundsContain: "axisLabel",
  };
}

export function valueAxis(axis: Axis, palette: Palette, isX = false) {
  return {
    type: "value",
    name: axis.name,
    nameLocation: isX ? "middle" : "end",
    nameGap: isX ? 2.2 * palette.size : palette.size,
    nameTextStyle: { ...textStyle(palette), align: isX ? "center" : "left" },
    min: axis.min,
    max: axis.max,
    // Fewer ticks where the data set the ends, as on a low drawing; known ends are cut in fifths.
    splitNumber: axis.ticks ?? (axis.min === undefined ? 3 : 5),
    interval: axis.step,
    minInterval: axis.isWhole ? 1 : undefined,
    scale: axis.min === undefined,
    axisLine: { show: isX, lineStyle: { color: palette.mute } },
    axisTick: { show: isX },
    axisLabel: {
      ...textStyle(palette),
      hideOverlap: true,
      formatter: (value: number) => axisWords(axis, value),
    },
    splitLine: { show: !isX, lineStyle: { color: palette.line } },
  };
}

export function categoryAxis(
  named: readonly { label: string; short?: string }[],
  name: string | undefined,
  palette: Palette,
) {
  return {
    type: "category",
    data: named.map(({ label, short }) => short ?? label),
    name,
    nameLocation: "middle",
    nameGap: 2.2 * palette.size,
    nameTextStyle: textStyle(palette),
    axisLine: { lineStyle: { color: palette.mute } },
    axisTick: { show: false },
    axisLabel: { ...textStyle(palette), hideOverlap: true },
  };
}

/** Categories as lines of a list, the first at the top, each with its name. */
export function listAxis(named: readonly { label: string; short?: string }[], palette: Palette) {
  return {
    ...categoryAxis(named, undefined, palette),
    inverse: true,
    axisLabel: { ...textStyle(palette), interval: 0, width: 8 * palette.size, overflow: "truncate" },
  };
}

/** A level across the chart, drawn by a series that holds nothing else. */
export function referenceSeries({ label, y, low, high }: Reference, x: number, palette: Palette, place = 0) {
  const hasBand = low != null && high != null;
  return {
    type: "line",
    name: label,
    // Unseen points at `x`, so that the axis reaches as far as the level does.
    data: [y, low, high].flatMap((level) => (level == null ? [] : [[x, level]])),
    symbol: "none",
    lineStyle: { opacity: 0 },
    silent: true,
    markLine: {
      silent: true,
      symbol: "none",
      lineStyle: { color: palette.ink, type: levelDash(place), width: 1.25 },
      label: { show: false },
      data: [{ yAxis: y }],
    },
    markArea: hasBand
      ? {
          silent: true,
          itemStyle: { color: palette.mute, opacity: 0.14 },
          data: [[{ yAxis: low }, { yAxis: high }]],
        }
      : undefined,
  };
}

interface TipLine {
  color?: string;
  words: string;
}

/** A tooltip as elements: what people wrote into a codebook is never read as HTML. */
export function tip(title: string, lines: readonly TipLine[]): HTMLElement {
  const box = document.createElement("div");
  const head = document.createElement("b");
  head.textContent = title;
  box.append(head);
  for (const line of lines) {
    const row = document.createElement("div");
    row.textContent = line.words;
    if (line.color) row.style.borderInlineStart = `0.6em solid ${line.color}`;
    row.style.paddingInlineStart = "0.4em";
    box.append(row);
  }
  return box;
}

export interface Pointed {
  seriesName?: string;
  dataIndex: number;
}

export function tooltip(palette: Palette, formatter: (pointed: readonly Pointed[]) => HTMLElement) {
  return {
    trigger: "axis",
    confine: true,
    backgroundColor: palette.card,
    borderColor: palette.line,
    textStyle: { ...textStyle(palette), color: palette.ink },
    transitionDuration: 0,
    formatter: (pointed: Pointed[] | Pointed) => formatter([pointed].flat()),
  };
}
