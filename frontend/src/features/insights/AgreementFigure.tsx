import { useMemo } from "react";
import { alphaWords, batchAxis, batchTitle } from "../../activeLearning/insightFormat";
import type { BatchInsight, Insights } from "../../api/insights";
import { IntervalPlot } from "../../components/charts/BarCharts";
import { ChartFigure } from "../../components/charts/ChartFigure";
import { type Axis, coefficientEnds } from "../../components/charts/model";
import { DataTable } from "../../components/DataTable";
import { bounded, coefficient, count, percent } from "../../text/format";
import { agreementPoints, coefficientOf } from "./metrics";

const TITLE = "Agreement in each batch";

/** Whether what is chosen divides people: a yield that rises while agreement falls is bought dearly. */
export function AgreementFigure({ insights }: { insights: Insights }) {
  const points = useMemo(() => agreementPoints(insights.batches), [insights]);
  const y = useMemo(() => alphaAxis(points.flatMap(({ y, low }) => [y, low ?? null])), [points]);
  if (insights.batches.every(({ agreement }) => agreement.n_units === 0))
    return <ChartFigure title={TITLE} about="No item has two answers at this stage yet." />;
  if (insights.batches.every(({ agreement }) => agreement.coefficient === null))
    return <ChartFigure title={TITLE} about="Free text has no coefficient of agreement." />;
  const said = insights.batches
    .map((batch) => `${batchTitle(batch)}: ${alphaWords(batch.agreement)}`)
    .join("; ");
  return (
    <ChartFigure
      title={TITLE}
      about={`Krippendorff’s ${coefficientOf(insights.batches)} over all items of the batch, those without a majority too, with 95 % intervals: 1 is perfect, 0 is chance.`}
      table={<AgreementTable batches={insights.batches} />}
    >
      <IntervalPlot
        label={`Krippendorff’s α: ${said}`}
        points={points}
        y={y}
        xName={batchAxis(insights.batches)}
      />
    </ChartFigure>
  );
}

function alphaAxis(values: readonly (number | null)[]): Axis {
  return {
    name: "Krippendorff’s α",
    ...coefficientEnds(values),
    words: (value) => coefficient(value),
  };
}

function AgreementTable({ batches }: { batches: readonly BatchInsight[] }) {
  return (
    <DataTable
      rows={batches}
      keyOf={batchTitle}
      columns={[
        ["Batch", batchTitle],
        [
          coefficientOf(batches),
          ({ agreement: { alpha, reason } }) =>
            alpha === null ? (
              <>
                undefined <span className="why">{reason}</span>
              </>
            ) : (
              bounded(alpha)
            ),
          "number",
        ],
        [
          "95 % interval",
          ({ agreement: { low, high } }) =>
            low === null || high === null ? "–" : `${bounded(low)} to ${bounded(high)}`,
          "number",
        ],
        [
          "Percent agreement",
          ({ agreement: { percent_agreement: share } }) => (share === null ? "–" : percent(share)),
          "number",
        ],
        ["Items with two answers or more", ({ agreement }) => count(agreement.n_units), "number"],
      ]}
    />
  );
}
