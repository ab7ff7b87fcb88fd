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
export function LineChart({ label, height, series, x, y, references }: LineChartProps) {
  const make = useCallback(
    (palette: Palette) => lineOption({ series, x, y, references }, palette),
    [series, x, y, references],
  );
  return (
    <>
      <LineKeys {...{ series, references, y }} />
      <Chart label={label} make={make} height={height} />
    </>
  );
}
