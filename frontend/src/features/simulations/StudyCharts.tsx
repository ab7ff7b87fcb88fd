import { useMemo } from "react";
import { ChartFigure } from "../../components/charts/ChartFigure";
import { LineChart } from "../../components/charts/LineChart";
import { SeriesTable } from "../../components/charts/SeriesTable";
import type { Simulation, Study } from "./api";
import { F1_AXIS, LABELS_AXIS, SHARE_AXIS } from "./axes";
import { coinciding } from "./copy";
import { studySeries } from "./curves";
import type { Measured } from "./measured";

export function F1Chart({ study, measured }: { study: Study; measured: Measured }) {
  const { part, where, strategies, references } = measured;
  const series = useMemo(() => studySeries(strategies, ({ macro_f1 }) => macro_f1), [strategies]);
  const title = part ? `Test macro-F1 over labels: ${where}` : "Test macro-F1 over labels";
  const same = coinciding(study).join(" ");
  return (
    <ChartFigure
      title={title}
      about={`${aboutWords(study)} ${same}`}
      table={<SeriesTable series={series} x={LABELS_AXIS} y={F1_AXIS} />}
    >
      <LineChart
        label={title}
        series={series}
        x={LABELS_AXIS}
        y={F1_AXIS}
        references={references}
        height={22}
      />
    </ChartFigure>
  );
}

function aboutWords({ seeds }: Study): string {
  return seeds.length === 1
    ? "One seed: there is no band."
    : `Lines are means over ${seeds.length} seeds, bands one standard deviation.`;
}

interface ShareChartProps {
  study: Study;
  label: string;
  pool: Simulation["texts"]["train"];
}

export function ShareChart({ study, label, pool }: ShareChartProps) {
  const series = useMemo(
    () => studySeries(study.strategies, ({ class_shares }) => class_shares[label] ?? []),
    [study, label],
  );
  const share = (pool.class_counts[label] ?? 0) / pool.n;
  const references = useMemo(() => [{ label: "in the pool", y: share }], [share]);
  const title = `Share of “${label}” among the labelled`;
  return (
    <ChartFigure
      title={title}
      about={`${aboutWords(study)} A larger share is a means, not the end: the model is what counts.`}
      table={<SeriesTable series={series} x={LABELS_AXIS} y={SHARE_AXIS} />}
    >
      <LineChart label={title} series={series} x={LABELS_AXIS} y={SHARE_AXIS} references={references} />
    </ChartFigure>
  );
}
