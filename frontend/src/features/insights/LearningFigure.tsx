import { useMemo } from "react";
import { Link } from "react-router";
import { batchTitle, doubtWords } from "../../activeLearning/insightFormat";
import type { BatchInsight, Insights } from "../../api/insights";
import { ChartFigure } from "../../components/charts/ChartFigure";
import { LineChart } from "../../components/charts/LineChart";
import type { Axis } from "../../components/charts/model";
import { type Column, DataTable } from "../../components/DataTable";
import { useProject } from "../../session/project";
import { coefficient, count } from "../../text/format";
import { HELD_OUT, learningCurve } from "./metrics";

const X: Axis = { name: "training items", words: count };
const Y: Axis = { name: "macro-F1", min: 0, max: 1, words: (value) => coefficient(value) };
const TITLE = "Learning curve";

/** Quality by labels. Where no test set was attached only the fit to the training items is known, and named so. */
export function LearningFigure({ insights }: { insights: Insights }) {
  const series = useMemo(() => learningCurve(insights.batches), [insights]);
  const models = insights.batches.filter(({ training, held_out }) => training ?? held_out);
  if (models.length === 0)
    return (
      <ChartFigure
        title={TITLE}
        about="No model has learned this stage yet. The curve begins with the first round that trains one."
      />
    );
  const isHeldOut = series.some(({ label }) => label === HELD_OUT);
  return (
    <ChartFigure
      title={TITLE}
      about={isHeldOut ? heldOutWords(models) : <NoTestSet />}
      table={<LearningTable models={models} />}
    >
      <LineChart label={`Macro-F1 by training items: ${pictureWords(models)}`} {...{ series }} x={X} y={Y} />
      <Uninformative models={models} />
    </ChartFigure>
  );
}

function heldOutWords(models: readonly BatchInsight[]): string {
  const sizes = [...new Set(models.flatMap(({ held_out }) => (held_out ? [count(held_out.n)] : [])))];
  const changed = sizes.length > 1 ? " The test set was changed on the way: points are not of one set." : "";
  return `Macro-F1 of each round's model, by how many items it had learned from; test n = ${sizes.join(", ")}.${changed}`;
}

function NoTestSet() {
  const project = useProject();
  return (
    <>
      No held-out test set was attached when these models were trained: only how well each fits its own
      training items is known, which says nothing of new text.{" "}
      <Link to={`/projects/${project.id}/rounds`}>Attach a test set</Link> for the next rounds.
    </>
  );
}

function pictureWords(models: readonly BatchInsight[]): string {
  return models
    .map(({ n_training, held_out, training }) => {
      const figure = held_out ?? training;
      return `${n_training}: ${figure ? coefficient(figure.macro_f1) : "not measured"}`;
    })
    .join("; ");
}

function Uninformative({ models }: { models: readonly BatchInsight[] }) {
  const flagged = models.filter(({ informative }) => informative === false);
  if (flagged.length === 0) return null;
  return (
    <p className="notice warn">
      {flagged
        .map((batch) => `Not informative yet: ${batchTitle(batch)}, ${doubtWords(batch.doubts)}.`)
        .join(" ")}
    </p>
  );
}

/** How far off the predicted points are, where a scale was learned. */
const OF_SCALES: Column<BatchInsight>[] = [
  [
    "Held-out mean absolute error, in points",
    ({ held_out }) => pointsWords(held_out?.mean_absolute_error),
    "number",
  ],
  [
    "Held-out kappa, quadratic weights",
    ({ held_out }) => pointsWords(held_out?.quadratic_weighted_kappa),
    "number",
  ],
];

function pointsWords(figure: number | null | undefined): string {
  return typeof figure === "number" ? coefficient(figure, 3) : "–";
}

function LearningTable({ models }: { models: readonly BatchInsight[] }) {
  return (
    <DataTable
      rows={models}
      keyOf={batchTitle}
      columns={[
        ["Model of", batchTitle],
        ["Training items", ({ n_training }) => count(n_training), "number"],
        [
          "Held-out macro-F1",
          ({ held_out }) => (held_out ? coefficient(held_out.macro_f1, 3) : "–"),
          "number",
        ],
        [
          "Held-out accuracy",
          ({ held_out }) => (held_out ? coefficient(held_out.accuracy, 3) : "–"),
          "number",
        ],
        ...(models.some(({ head_kind }) => head_kind === "ordered") ? OF_SCALES : []),
        ["Test n", ({ held_out }) => (held_out ? count(held_out.n) : "–"), "number"],
        [
          "Training macro-F1",
          ({ training }) => (training ? coefficient(training.macro_f1, 3) : "–"),
          "number",
        ],
        [
          "Informative",
          ({ informative }) => (informative === false ? "not yet" : informative === null ? "–" : "yes"),
        ],
      ]}
    />
  );
}
