import { useMemo } from "react";
import { Link } from "react-router";
import {
  alphaWords,
  baselineName,
  batchAxis,
  batchShort,
  batchTitle,
  shareWords,
} from "../../activeLearning/insightFormat";
import { IntervalPlot } from "../../components/charts/BarCharts";
import { ChartFigure } from "../../components/charts/ChartFigure";
import { type Axis, coefficientEnds, type IntervalPoint } from "../../components/charts/model";
import { DataTable } from "../../components/DataTable";
import { coefficient, count } from "../../text/format";
import type { Trend, TrendBatch } from "./api";

interface FigureProps {
  trend: Trend;
  projectId: string;
}

/** In rem: two of them stand beside the people. */
const HEIGHT = 9;
const TICKS = 2;

/** How far people agree, batch by batch. */
export function AgreementTrend({ trend, projectId }: FigureProps) {
  const points = useMemo(() => trend.batches.map(alphaPoint), [trend]);
  const y = useMemo(() => alphaAxis(points), [points]);
  const newest = trend.batches.findLast(({ agreement }) => agreement.n_units > 0);
  const link = <Link to={`/projects/${projectId}/agreement`}>Agreement in full</Link>;
  const title = `Agreement at “${trend.title}”`;
  if (!newest) return <ChartFigure title={title} about={<>No item has two answers yet. {link}</>} />;
  if (newest.agreement.coefficient === null)
    return <ChartFigure title={title} about={<>Free text has no coefficient of agreement. {link}</>} />;
  return (
    <ChartFigure
      title={title}
      about={
        <>
          {batchTitle(newest)}: {alphaWords(newest.agreement)}. {link}
        </>
      }
      table={<AgreementTable batches={trend.batches} />}
    >
      <IntervalPlot
        label={`Krippendorff’s α: ${trend.batches.map((batch) => `${batchTitle(batch)}: ${alphaWords(batch.agreement)}`).join("; ")}`}
        points={points}
        y={y}
        xName={batchAxis(trend.batches)}
        height={HEIGHT}
      />
    </ChartFigure>
  );
}

/** What the work brings, beside what chance would bring. */
export function YieldTrend({ trend, projectId }: FigureProps) {
  const points = useMemo(() => trend.batches.map(sharePoint), [trend]);
  const reference = useMemo(() => baseline(trend), [trend]);
  const newest = trend.batches.findLast(({ positives }) => positives.n > 0);
  const link = <Link to={`/projects/${projectId}/insights`}>Insights</Link>;
  const title = `Yield of “${trend.positive.join(", ")}”`;
  if (trend.positive.length === 0)
    return (
      <ChartFigure
        title="Yield"
        about={
          <>
            The codebook names no positive label at “{trend.title}”. {link}
          </>
        }
      />
    );
  if (!newest) return <ChartFigure title={title} about={<>No item has a majority yet. {link}</>} />;
  return (
    <ChartFigure
      title={title}
      about={
        <>
          {batchTitle(newest)}: {shareWords(newest.positives)}. {link}
        </>
      }
      table={<YieldTable batches={trend.batches} />}
    >
      <IntervalPlot
        label={`Positives: ${trend.batches.map((batch) => `${batchTitle(batch)}: ${shareWords(batch.positives)}`).join("; ")}`}
        points={points}
        y={SHARE}
        xName={batchAxis(trend.batches)}
        reference={reference}
        height={HEIGHT}
      />
    </ChartFigure>
  );
}

const SHARE: Axis = { name: "% of items", min: 0, ticks: TICKS, words: (value) => value.toFixed(0) };

function named(batch: TrendBatch): Pick<IntervalPoint, "label" | "short"> {
  return { label: batchTitle(batch), short: batchShort(batch) };
}

function alphaPoint(batch: TrendBatch): IntervalPoint {
  const { alpha: y, low, high } = batch.agreement;
  return { ...named(batch), y, low, high };
}

function sharePoint(batch: TrendBatch): IntervalPoint {
  const { share, low, high } = batch.positives;
  return { ...named(batch), y: hundred(share), low: hundred(low), high: hundred(high) };
}

function hundred(share: number | null): number | null {
  return share === null ? null : 100 * share;
}

function baseline({ baseline: level }: Trend) {
  if (!level) return undefined;
  const { share, low, high } = level;
  return { label: baselineName(level), y: 100 * share, low: 100 * low, high: 100 * high };
}

function alphaAxis(points: readonly IntervalPoint[]): Axis {
  return {
    name: "α",
    ...coefficientEnds(
      points.flatMap(({ y, low }) => [y, low]),
      true,
    ),
    words: (value) => coefficient(value, 1),
  };
}

function AgreementTable({ batches }: { batches: readonly TrendBatch[] }) {
  const name = batches[0]?.agreement.coefficient ?? "coefficient";
  return (
    <DataTable
      rows={batches}
      keyOf={batchTitle}
      columns={[
        ["Batch", batchTitle],
        [
          `Krippendorff’s ${name}, 95 % interval, items with two answers or more`,
          ({ agreement }) => alphaWords(agreement),
          "numbers",
        ],
      ]}
    />
  );
}

function YieldTable({ batches }: { batches: readonly TrendBatch[] }) {
  return (
    <DataTable
      rows={batches}
      keyOf={batchTitle}
      columns={[
        ["Batch", batchTitle],
        ["Positives", ({ positives }) => count(positives.count), "number"],
        [
          "Share of items with a majority, 95 % interval",
          ({ positives }) => shareWords(positives),
          "numbers",
        ],
      ]}
    />
  );
}
