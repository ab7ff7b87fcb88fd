import { useMemo } from "react";
import { batchAxis, batchTitle } from "../../activeLearning/insightFormat";
import type { BatchInsight, Insights } from "../../api/insights";
import { StackedBars } from "../../components/charts/BarCharts";
import { ChartFigure } from "../../components/charts/ChartFigure";
import type { Axis, Part } from "../../components/charts/model";
import { type Column, DataTable } from "../../components/DataTable";
import { count, percent } from "../../text/format";
import { classParts, classStacks, type Names } from "./metrics";

const Y: Axis = {
  name: "share of the batch",
  min: 0,
  max: 1,
  words: (value) => `${Math.round(100 * value)} %`,
};
const TITLE = "Labels in each batch";

/** What the strategies bring up: items that are settled at the stage, by their aggregated label. */
export function ClassFigure({ insights, names }: { insights: Insights; names: Names }) {
  const parts = useMemo(() => classParts(insights, names), [insights, names]);
  const stacks = useMemo(() => classStacks(insights.batches), [insights]);
  if (stacks.length === 0)
    return <ChartFigure title={TITLE} about="No item has an outcome at this stage yet." />;
  const open = insights.batches.filter(({ complete, n_labeled }) => !complete && n_labeled > 0);
  return (
    <ChartFigure
      title={TITLE}
      about={`Of the items with an outcome at this stage: a majority, or all answers without one.${openWords(open)}`}
      table={<ClassTable batches={insights.batches} parts={parts} />}
    >
      <StackedBars
        label={pictureWords(insights.batches, parts)}
        stacks={stacks}
        parts={parts}
        y={Y}
        xName={batchAxis(insights.batches)}
      />
    </ChartFigure>
  );
}

function openWords(open: readonly BatchInsight[]): string {
  return open.length === 0 ? "" : ` Still open: ${open.map(batchTitle).join(", ")}.`;
}

function pictureWords(batches: readonly BatchInsight[], parts: readonly Part[]): string {
  const shares = (batch: BatchInsight) =>
    parts.map(({ key, label }) => `${label} ${percent(batch.class_shares[key] ?? 0)}`).join(", ");
  return batches
    .filter(({ n_labeled }) => n_labeled > 0)
    .map((batch) => `${batchTitle(batch)}: ${shares(batch)}`)
    .join("; ");
}

function ClassTable({ batches, parts }: { batches: readonly BatchInsight[]; parts: readonly Part[] }) {
  return (
    <DataTable
      rows={batches}
      keyOf={batchTitle}
      columns={[
        ["Batch", batchTitle],
        [
          "With an outcome",
          ({ n_labeled, size }) => `${count(n_labeled)} of ${count(size)}`,
          "number nowrap",
        ],
        ...parts.map(
          ({ key, label }): Column<BatchInsight> => [
            label,
            ({ n_labeled, class_shares, class_counts }) =>
              n_labeled === 0 ? "–" : `${percent(class_shares[key] ?? 0)} (${count(class_counts[key] ?? 0)})`,
            "number nowrap",
          ],
        ),
      ]}
    />
  );
}
