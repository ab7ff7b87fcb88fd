import { useCallback } from "react";
import { Chart } from "./Chart";
import { LineKeys } from "./Keys";
import { type LineData, lineOption } from "./lineOption";
import type { Palette } from "./palette";

interface LineChartProps extends LineData {
  /** What the picture shows, in words. */
  label: string;
  /** In rem. */
  height?: number;
}

/**
 * Lines over a number, each with its band where its points carry `low` and `high`. Pass data that keep their identity
 * between renders (`useMemo`), else it is drawn anew each time. Put it into a `ChartFigure` with its table.
 */
export function LineChart({ label, height, series, x, y, reference }: LineChartProps) {
  const make = useCallback(
    (palette: Palette) => lineOption({ series, x, y, reference }, palette),
    [series, x, y, reference],
  );
  return (
    <>
      <LineKeys {...{ series, reference, y }} />
      <Chart label={label} make={make} height={height} />
    </>
  );
}
