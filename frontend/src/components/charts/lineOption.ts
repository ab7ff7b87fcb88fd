import { bandSeries } from "./custom";
import { type Axis, axisWords, type Point, type Reference, type Series, toneOf } from "./model";
import { DASHES, type Palette } from "./palette";
import { grid, type Pointed, referenceSeries, textStyle, tip, tooltip, valueAxis } from "./parts";

export interface LineData {
  series: readonly Series[];
  x: Axis;
  y: Axis;
  references?: readonly Reference[];
}

export function lineOption(data: LineData, palette: Palette) {
  const { series, x, y, references = [] } = data;
  return {
    textStyle: textStyle(palette),
    grid: grid(palette, true),
    xAxis: valueAxis(x, palette, true),
    yAxis: valueAxis(y, palette),
    tooltip: tooltip(palette, (pointed) => lineTip(data, pointed, palette)),
    series: [
      ...series.flatMap((each, place) => bands(each, toneColor(each, place, palette))),
      ...series.map((each, place) => line(each, place, palette)),
      ...references.map((each, place) => referenceSeries(each, series[0]?.points[0]?.x ?? 0, palette, place)),
    ],
  };
}

function toneColor(series: Series, place: number, palette: Palette): string {
  return palette.tones[toneOf(series.tone, place)] ?? palette.ink;
}

/** The runs of points that know how far they spread; a point without ends the band. */
export function spreads(points: readonly Point[]): { x: number; low: number; high: number }[][] {
  const runs: { x: number; low: number; high: number }[][] = [[]];
  for (const { x, low, high } of points) {
    if (low == null || high == null) runs.push([]);
    else runs.at(-1)?.push({ x, low, high });
  }
  return runs.filter((run) => run.length > 1);
}

function bands(series: Series, color: string) {
  return spreads(series.points).map((run) => bandSeries(series.label, run, color));
}

function line(series: Series, place: number, palette: Palette) {
  const color = toneColor(series, place, palette);
  const dash = series.dashed ? [4, 4] : (DASHES[toneOf(series.tone, place)] ?? []);
  return {
    type: "line",
    name: series.label,
    data: series.points.map(({ x, y }) => [x, y]),
    symbol: series.dashed ? "emptyCircle" : "circle",
    symbolSize: series.points.length > 40 ? 0 : 7,
    showAllSymbol: true,
    itemStyle: { color },
    lineStyle: { color, width: 2, type: dash.length > 0 ? dash : "solid" },
    emphasis: { disabled: true },
  };
}

function lineTip(data: LineData, pointed: readonly Pointed[], palette: Palette): HTMLElement {
  const xs: number[] = [];
  const lines = pointed.flatMap(({ seriesName, dataIndex }) => {
    const place = data.series.findIndex(({ label }) => label === seriesName);
    const series = data.series[place];
    const point = series?.points[dataIndex];
    if (!series || !point || point.y === null) return [];
    xs.push(point.x);
    return [
      { color: toneColor(series, place, palette), words: `${series.label}: ${pointWords(point, data.y)}` },
    ];
  });
  const unique = lines.filter(
    ({ words }, place) => lines.findIndex((other) => other.words === words) === place,
  );
  return tip(xs[0] === undefined ? "" : `${data.x.name}: ${axisWords(data.x, xs[0])}`, unique);
}

/** "0.71 [0.68, 0.74]". */
export function pointWords(point: Pick<Point, "y" | "low" | "high">, axis: Axis): string {
  if (point.y === null) return "–";
  const value = axisWords(axis, point.y);
  if (point.low == null || point.high == null) return value;
  return `${value} [${axisWords(axis, point.low)}, ${axisWords(axis, point.high)}]`;
}
