/** From the batches to what the charts draw. */

import {
  baselineName,
  batchShort,
  batchTitle,
  NO_MAJORITY,
  perHundred,
} from "../../activeLearning/insightFormat";
import type { Baseline, BatchInsight, Insights, Signal } from "../../api/insights";
import type { IntervalPoint, Part, Point, Reference, Series, Stack } from "../../components/charts/model";

/** Label keys of a stage with their names, in the codebook's order. */
export type Names = ReadonlyMap<string, string>;

export const HELD_OUT = "held-out test set";
export const TRAINING = "its own training items (fit, not quality)";

/** Macro-F1 by number of training items; a model that learned another stage has no point. */
export function learningCurve(batches: readonly BatchInsight[]): Series[] {
  const points = (which: "held_out" | "training"): Point[] =>
    batches.flatMap((batch) => {
      const figures = batch[which];
      return figures ? [{ x: batch.n_training, y: figures.macro_f1 }] : [];
    });
  const series: Series[] = [
    { label: HELD_OUT, points: points("held_out"), tone: 0 },
    { label: TRAINING, points: points("training"), tone: 4, dashed: true },
  ];
  return series.filter((each) => each.points.length > 0);
}

/** The parts of a batch: positive labels first, no majority last. */
export function classParts(insights: Insights, names: Names): Part[] {
  const found = new Set(insights.batches.flatMap(({ class_counts }) => Object.keys(class_counts)));
  const known = [...names.keys(), ...found].filter((label) => found.has(label) && label !== NO_MAJORITY);
  const labels = [...new Set(known)];
  const isPositive = (label: string) => insights.positive.includes(label);
  const ordered = [...labels.filter(isPositive), ...labels.filter((label) => !isPositive(label))];
  const parts: Part[] = ordered.map((label) => ({
    key: label,
    label: `${names.get(label) ?? label}${isPositive(label) ? " (positive)" : ""}`,
  }));
  return found.has(NO_MAJORITY)
    ? [...parts, { key: NO_MAJORITY, label: "no majority", tone: "quiet" }]
    : parts;
}

export function classStacks(batches: readonly BatchInsight[]): Stack[] {
  return batches
    .filter(({ n_labeled }) => n_labeled > 0)
    .map((batch) => ({ ...named(batch), values: batch.class_shares }));
}

function named(batch: BatchInsight): { label: string; short: string } {
  return { label: batchTitle(batch), short: batchShort(batch) };
}

export type Per = "items" | "annotations";

export function yieldPoints(batches: readonly BatchInsight[], per: Per): IntervalPoint[] {
  return batches.map((batch) => ({ ...named(batch), ...yieldOf(batch, per) }));
}

function yieldOf({ positives }: BatchInsight, per: Per): Omit<IntervalPoint, "label" | "short"> {
  if (per === "annotations") return perHundred(positives);
  return { y: hundred(positives.share), low: hundred(positives.low), high: hundred(positives.high) };
}

function hundred(share: number | null): number | null {
  return share === null ? null : 100 * share;
}

/** The level to compare with, on the scale of the points. */
export function yieldReference(insights: Insights, per: Per): Reference | undefined {
  const { baseline } = insights;
  if (!baseline) return undefined;
  const label = baselineName(baseline);
  if (per === "items")
    return { label, y: 100 * baseline.share, low: 100 * baseline.low, high: 100 * baseline.high };
  const own = baselineBatch(insights.batches, baseline);
  const point = own && perHundred(own.positives);
  return point && point.y !== null ? { label, ...point, y: point.y } : undefined;
}

function baselineBatch(
  batches: readonly BatchInsight[],
  { source, batch }: Baseline,
): BatchInsight | undefined {
  const kind = source === "prototype" ? "prototype" : "round";
  return batches.find((each) => each.kind === kind && each.number === batch);
}

export function agreementPoints(batches: readonly BatchInsight[]): IntervalPoint[] {
  return batches.map((batch) => {
    const { alpha: y, low, high } = batch.agreement;
    return { ...named(batch), y, low, high };
  });
}

export function signalSeries({ title, values }: Signal): Series[] {
  return [{ label: title, points: values.map(({ round, value }) => ({ x: round, y: value })) }];
}

/** Newest first where one is looked for. */
export function newestWith<T>(
  batches: readonly BatchInsight[],
  pick: (batch: BatchInsight) => T | null,
): { batch: BatchInsight; value: T } | undefined {
  for (const batch of batches.toReversed()) {
    const value = pick(batch);
    if (value !== null) return { batch, value };
  }
  return undefined;
}

/** What alpha is called at the stage: every batch has the same. */
export function coefficientOf(batches: readonly BatchInsight[]): string {
  return batches[0]?.agreement.coefficient ?? "Coefficient";
}
