import type { AlphaOf, Baseline, BatchInsight, Positives, Signal } from "../api/insights";
import { pointWords } from "../components/charts/lineOption";
import type { Axis } from "../components/charts/model";
import { bounded, coefficient, count, percent } from "../text/format";

export const NO_MAJORITY = "no_majority";

export function batchTitle({ kind, number }: Pick<BatchInsight, "kind" | "number">): string {
  return kind === "prototype" ? `Prototype ${number}` : `Round ${number}`;
}

/** At an axis, whose name says what P is. */
export function batchShort({ kind, number }: Pick<BatchInsight, "kind" | "number">): string {
  return kind === "prototype" ? `P${number}` : String(number);
}

export function batchAxis(batches: readonly Pick<BatchInsight, "kind">[]): string {
  return batches.some(({ kind }) => kind === "prototype") ? "round; P: prototype batch" : "round";
}

export function baselineName({ source, batch }: Pick<Baseline, "source" | "batch">): string {
  return source === "prototype" ? `prototype batch ${batch}` : `first random batch (round ${batch})`;
}

/** "24.7 % [18.4, 32.2], n = 150". */
export function shareWords(share: Pick<Positives, "share" | "low" | "high" | "n">): string {
  if (share.share === null) return "no item with a majority yet";
  return `${percent(share.share)}${limitWords(share.low, share.high, (limit) => (100 * limit).toFixed(1))}, n = ${count(share.n)}`;
}

/** "95 % interval 18.4 to 32.2, n = 150": what stands under the share itself. */
export function basisWords({ low, high, n }: Pick<Positives, "low" | "high" | "n">): string {
  const limit = (share: number) => (100 * share).toFixed(1);
  const between = low === null || high === null ? "" : `95 % interval ${limit(low)} to ${limit(high)}, `;
  return `${between}n = ${count(n)}`;
}

/** "1.99 [1.50, 2.60]". */
export function liftWords({ lift, lift_low, lift_high }: Positives): string | null {
  return lift === null ? null : `${coefficient(lift)}${limitWords(lift_low, lift_high, coefficient)}`;
}

/** "α (nominal) 0.63 [0.55, 0.71], n = 150". */
export function alphaWords({ coefficient: name, alpha, low, high, n_units, reason }: AlphaOf): string {
  if (alpha === null) return `no ${name ?? "coefficient"}: ${reason}`;
  return `${name} ${bounded(alpha)}${limitWords(low, high, bounded)}, n = ${count(n_units)}`;
}

function limitWords(low: number | null, high: number | null, words: (limit: number) => string): string {
  return low === null || high === null ? "" : ` [${words(low)}, ${words(high)}]`;
}

/** Positives for 100 single answers, with the share's Wilson limits on the same scale. */
export function perHundred(positives: Positives): {
  y: number | null;
  low: number | null;
  high: number | null;
} {
  const { per_100_annotations: y, low, high, n, n_annotations } = positives;
  const scaled = (limit: number | null) =>
    limit === null || n_annotations === 0 ? null : (100 * limit * n) / n_annotations;
  return { y, low: scaled(low), high: scaled(high) };
}

const PER_HUNDRED: Axis = { name: "positives", min: 0, words: (value) => value.toFixed(1) };

export function perHundredWords(positives: Positives): string {
  return pointWords(perHundred(positives), PER_HUNDRED);
}

export const STATUS_WORDS: Record<Signal["status"], string> = {
  reached: "reached",
  not_reached: "not reached",
  unknown: "cannot be told yet",
};

/** Numbers of signals run from p-values to items left. */
export function signalNumber(value: number): string {
  if (Number.isInteger(value)) return count(value);
  if (value !== 0 && Math.abs(value) < 0.001) return value.toExponential(1).replace("-", "−");
  return coefficient(value, 3);
}

/** Why a model is not informative, and what that means for what it chose. */
export function doubtWords(doubts: readonly { words: string }[]): string {
  return ["as good as random", ...doubts.map(({ words }) => words)].join("; ");
}
