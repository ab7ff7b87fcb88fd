import { useMemo } from "react";
import { ChartFigure } from "../../components/charts/ChartFigure";
import { LineChart } from "../../components/charts/LineChart";
import { SeriesTable } from "../../components/charts/SeriesTable";
import { type Column, DataTable } from "../../components/DataTable";
import { TableCard } from "../../components/TableCard";
import { count } from "../../text/format";
import type { Curve, SimulationDetail } from "./api";
import { F1_AXIS, LABELS_AXIS } from "./axes";
import { score, wanted } from "./copy";
import { type PartialStudy, partialStudies } from "./curves";

/** What is done so far, before anything can be read from it. */
export function Partial({ simulation }: { simulation: SimulationDetail }) {
  const { curves } = simulation;
  const studies = useMemo(() => partialStudies(simulation, curves), [simulation, curves]);
  if (curves.length === 0) return null;
  return (
    <>
      {studies.map((study) => (
        <PartialCurves key={`${study.model} ${study.batchSize}`} study={study} />
      ))}
      <Runs simulation={simulation} />
    </>
  );
}

function PartialCurves({ study: { model, batchSize, series } }: { study: PartialStudy }) {
  // A single line has no key beside it.
  const only = series.length === 1 ? `${series[0]?.label}. ` : "";
  const title = `So far: test macro-F1, ${model}, batches of ${count(batchSize)}`;
  return (
    <ChartFigure
      title={title}
      about={`${only}Means over the seeds that are through; a strategy without one shows the seed at work. Too early to compare.`}
      table={<SeriesTable series={series} x={LABELS_AXIS} y={F1_AXIS} />}
    >
      <LineChart label={title} series={series} x={LABELS_AXIS} y={F1_AXIS} height={18} />
    </ChartFigure>
  );
}

/** One row a strategy, one column a seed. */
function Runs({ simulation }: { simulation: SimulationDetail }) {
  const { config, curves } = simulation;
  const rows = new Map<string, Curve[]>();
  for (const curve of curves) {
    const size = curve.batch_size > 0 ? `, batches of ${count(curve.batch_size)}` : "";
    const key = `${curve.strategy.replace("full-supervision", "full supervision")} with ${curve.model}${size}`;
    rows.set(key, [...(rows.get(key) ?? []), curve]);
  }
  return (
    <TableCard
      title="Batches done, and the last macro-F1"
      about={<span className="small mute">by seed</span>}
    >
      <DataTable
        rows={[...rows]}
        keyOf={([name]) => name}
        columns={[
          ["Run", ([name]) => name],
          ...config.seeds.map(
            (seed): Column<[string, Curve[]]> => [
              `seed ${seed}`,
              ([, own]) =>
                runWords(
                  simulation,
                  own.find((curve) => curve.seed === seed),
                ),
              "number nowrap",
            ],
          ),
        ]}
      />
    </TableCard>
  );
}

function runWords(simulation: SimulationDetail, curve: Curve | undefined): string {
  if (!curve) return "–";
  const last = curve.macro_f1.at(-1);
  return `${curve.n_labeled.length} of ${wanted(simulation, curve)}${last === undefined ? "" : ` · ${score(last)}`}`;
}
