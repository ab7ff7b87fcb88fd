import { useCallback, useMemo } from "react";
import { type IntervalData, intervalOption, type StackData, stackOption } from "./barOption";
import { Chart } from "./Chart";
import { folded } from "./fold";
import { LineKeys, PartKeys } from "./Keys";
import type { Palette } from "./palette";

interface About {
  /** What the picture shows, in words. */
  label: string;
  /** In rem. */
  height?: number;
}

/** One bar a batch, cut into parts; the smaller ones of many are drawn as one. */
export function StackedBars({ label, height, stacks, parts, y, xName, isLying }: StackData & About) {
  const drawn = useMemo(() => folded(parts, stacks), [parts, stacks]);
  const make = useCallback(
    (palette: Palette) => stackOption({ ...drawn, y, xName, isLying }, palette),
    [drawn, y, xName, isLying],
  );
  return (
    <>
      <PartKeys parts={drawn.parts} />
      <Chart label={label} make={make} height={height} />
    </>
  );
}

/** One point a batch with its interval, beside a level to compare with. */
export function IntervalPlot({ label, height, points, y, xName, reference, trend }: IntervalData & About) {
  const make = useCallback(
    (palette: Palette) => intervalOption({ points, y, xName, reference, trend }, palette),
    [points, y, xName, reference, trend],
  );
  return (
    <>
      <LineKeys series={[]} references={reference && [reference]} y={y} />
      <Chart label={label} make={make} height={height} />
    </>
  );
}
