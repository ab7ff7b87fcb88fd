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
import { categoryAxis, grid, referenceSeries, textStyle, tip, tooltip, valueAxis } from "./parts";

export interface StackData {
  stacks: readonly Stack[];
  parts: readonly Part[];
  y: Axis;
  xName?: string;
}

export function partColor(part: Part, place: number, palette: Palette): string {
  if (part.tone === "quiet") return palette.quiet;
  return palette.tones[toneOf(part.tone, place)] ?? palette.ink;
}

export function stackOption({ stacks, parts, y, xName }: StackData, palette: Palette) {
  return {
    textStyle: textStyle(palette),
    grid: grid(palette, xName !== undefined),
    xAxis: categoryAxis(stacks, xName, palette),
    yAxis: valueAxis(y, palette),
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
}

export function intervalOption({ points, y, xName, reference }: IntervalData, palette: Palette) {
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
    ],
  };
}
