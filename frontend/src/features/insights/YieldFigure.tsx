import { useMemo, useState } from "react";
import {
  baselineName,
  batchAxis,
  batchTitle,
  liftWords,
  perHundredWords,
  shareWords,
} from "../../activeLearning/insightFormat";
import type { Insights } from "../../api/insights";
import { IntervalPlot } from "../../components/charts/BarCharts";
import { ChartFigure } from "../../components/charts/ChartFigure";
import { pointWords } from "../../components/charts/lineOption";
import type { Axis } from "../../components/charts/model";
import { DataTable } from "../../components/DataTable";
import { Switch } from "../../components/Switch";
import { count } from "../../text/format";
import { type Per, yieldPoints, yieldReference } from "./metrics";

const AXES: Record<Per, Axis> = {
  items: { name: "positives per 100 items", min: 0, words: (value) => value.toFixed(1) },
  annotations: { name: "positives per 100 annotations", min: 0, words: (value) => value.toFixed(1) },
};
const TITLE = "Positives in each batch";

/** What the work brings, beside what chance would bring. */
export function YieldFigure({ insights }: { insights: Insights }) {
  const [per, setPer] = useState<Per>("items");
  const points = useMemo(() => yieldPoints(insights.batches, per), [insights, per]);
  const reference = useMemo(() => yieldReference(insights, per), [insights, per]);
  if (insights.positive.length === 0)
    return <ChartFigure title={TITLE} about="The codebook marks no label of this stage as positive." />;
  if (points.every(({ y }) => y === null))
    return <ChartFigure title={TITLE} about="No item has a majority at the first stage yet." />;
  const said = points.map((point) => `${point.label}: ${pointWords(point, AXES[per])}`).join("; ");
  return (
    <ChartFigure title={TITLE} about={aboutWords(insights, per)} table={<YieldTable insights={insights} />}>
      <Switch<Per>
        label="Per what"
        value={per}
        options={[
          { value: "items", text: "Per 100 items" },
          { value: "annotations", text: "Per 100 annotations" },
        ]}
        onValue={setPer}
      />
      <IntervalPlot
        label={`${AXES[per].name}: ${said}`}
        points={points}
        y={AXES[per]}
        xName={batchAxis(insights.batches)}
        reference={reference}
      />
    </ChartFigure>
  );
}

function aboutWords({ baseline }: Insights, per: Per): string {
  const basis =
    per === "items"
      ? "Of the items with a majority at the first stage"
      : "Of all single answers, those of the same item counted each";
  const beside = baseline
    ? `The dashed line and its band: the ${baselineName(baseline)}.`
    : "No baseline yet: it comes with the first complete prototype or random batch.";
  return `${basis}, with Wilson intervals of 95 %. ${beside}`;
}

function YieldTable({ insights }: { insights: Insights }) {
  return (
    <DataTable
      rows={insights.batches}
      keyOf={batchTitle}
      columns={[
        ["Batch", batchTitle],
        ["Positives", ({ positives }) => count(positives.count), "number"],
        ["Share of items with a majority", ({ positives }) => shareWords(positives), "number nowrap"],
        ["Lift over the baseline", ({ positives }) => liftWords(positives) ?? "–", "number nowrap"],
        ["Annotations", ({ positives }) => count(positives.n_annotations), "number"],
        ["Per 100 annotations", ({ positives }) => perHundredWords(positives), "number nowrap"],
      ]}
    />
  );
}
