/** Whether a coefficient rises or falls from round to round: pure. */

interface Measured {
  round: number;
  value: number;
  /** Items with two answers: what a batch weighs. */
  weight: number;
}

export interface Trend {
  /** Change by round, with its 95 percent interval. */
  slope: number;
  low: number;
  high: number;
  /** The line's value at a round. */
  at: (round: number) => number;
}

// The 0.975 quantiles of Student's t by degrees of freedom.
const T = [
  12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281, 2.201, 2.1788, 2.1604,
  2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.093, 2.086,
];

/** Above the table to four digits, by its expansion in the normal quantile (Abramowitz and Stegun, 26.7.5). */
function quantile(df: number): number {
  return T[df - 1] ?? 1.959964 + 2.372271 / df + 2.822499 / df ** 2;
}

/**
 * Weighted least squares of the values on the rounds; the interval is from the batches' scatter about the line, by
 * Student's t with two degrees of freedom fewer than batches. null with fewer than three: any two lie on a line.
 */
export function trendOf(measured: readonly Measured[]): Trend | null {
  const used = measured.filter(({ weight }) => weight > 0);
  if (used.length < 3) return null;
  const sum = (of: (each: Measured) => number) =>
    used.reduce((total, each) => total + each.weight * of(each), 0);
  const weight = sum(() => 1);
  const round = sum((each) => each.round) / weight;
  const value = sum((each) => each.value) / weight;
  const spread = sum((each) => (each.round - round) ** 2);
  const slope = sum((each) => (each.round - round) * (each.value - value)) / spread;
  const at = (where: number) => value + slope * (where - round);
  const df = used.length - 2;
  const half = quantile(df) * Math.sqrt(sum((each) => (each.value - at(each.round)) ** 2) / df / spread);
  return { slope, low: slope - half, high: slope + half, at };
}
