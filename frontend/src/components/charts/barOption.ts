import { whiskerSeries } from "./custom";
import { pointWords } from "./lineOption";
import {
  type Axis,
  axisWords,
  type IntervalPoint,
  type Part,
  type Reference,
  type Stack,
  toneOf,
} from "./model";
import type { Palette } from "./palette";
import { categoryAxis, grid, listAxis, referenceSeries, textStyle, tip, tooltip, valueAxis } from "./parts";

export interface StackData {
  stacks: readonly Stack[];
  parts: readonly Part[];
  y: Axis;
  xName?: string;
  /** Bars that lie, one below the other: for names that are long, or many. */
  isLying?: boolean;
}

function partColor(part: Part, place: number, palette: Palette): string {
  if (part.tone === "quiet") return palette.quiet;
  return palette.tones[toneOf(part.tone, place)] ?? palette.ink;
}

export function stackOption({ stacks, parts, y, xName, isLying = false }: StackData, palette: Palette) {
  const axes = isLying
    ? { xAxis: valueAxis(y, palette, true), yAxis: listAxis(stacks, palette) }
    : { xAxis: categoryAxis(stacks, xName, palette), yAxis: valueAxis(y, palette) };
  return {
    textStyle: textStyle(palette),
    grid: { ...grid(palette, isLying || xName !== undefined), ...(isLying && { top: 4 }) },
    ...axes,
    tooltip: tooltip(palette, ([first]) => {
      const stack = stacks[first?.dataIndex ?? -1];
      const lines = parts.map((part, place) => ({
        color: partColor(part, place, palette),
        words: `${part.label}: ${axisWords(y, stack?.values[part.key] ?? 0)}`,
      }));
      return tip(stack?.label ?? "", lines.reverse());
    }),
    series: parts.map((part, place) => ({
      type: "bar",
      name: part.label,
      stack: "all",
      barMaxWidth: 64,
      // Nothing is drawn for nothing: the rim of an empty bar would hide the axis.
      data: stacks.map(({ values }) => values[part.key] || null),
      // A rim of the card's colour parts neighbours that are close in brightness.
      itemStyle: { color: partColor(part, place, palette), borderColor: palette.card, borderWidth: 1 },
      emphasis: { disabled: true },
    })),
  };
}

export interface IntervalData {
  points: readonly IntervalPoint[];
  y: Axis;
  xName?: string;
  reference?: Reference;
  /** A dashed line through the points: its value at each. */
  trend?: readonly number[];
}

export function intervalOption({ points, y, xName, reference, trend }: IntervalData, palette: Palette) {
  const color = palette.tones[0] ?? palette.ink;
  const spread = points.flatMap(({ low, high }, x) =>
    low == null || high == null ? [] : [{ x, low, high }],
  );
  return {
    textStyle: textStyle(palette),
    grid: grid(palette, xName !== undefined),
    xAxis: categoryAxis(points, xName, palette),
    yAxis: valueAxis(y, palette),
    tooltip: tooltip(palette, ([first]) => {
      const point = points[first?.dataIndex ?? -1];
      return tip(point?.label ?? "", point ? [{ color, words: pointWords(point, y) }] : []);
    }),
    series: [
      {
        type: "line",
        data: points.map((point) => point.y),
        symbol: "circle",
        symbolSize: 9,
        showAllSymbol: true,
        lineStyle: { width: 0 },
        itemStyle: { color },
        emphasis: { disabled: true },
      },
      whiskerSeries(spread, color),
      ...(reference ? [referenceSeries(reference, 0, palette)] : []),
      ...(trend ? [trendSeries(trend, palette)] : []),
    ],
  };
}

function trendSeries(trend: readonly number[], palette: Palette) {
  return {
    type: "line",
    data: trend,
    symbol: "none",
    silent: true,
    lineStyle: { color: palette.ink, width: 1.25, type: [5, 4] },
  };
}
