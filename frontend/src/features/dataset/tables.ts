/** The tables' rows as people read them, and as CSV. */

import { type Cell, csv } from "../../text/csv";
import { count } from "../../text/format";
import type { Dataset, Moments } from "./api";

export const SPLITS: Record<Dataset["splits"][number]["split"], string> = {
  train: "Training",
  valid: "Validation",
  test: "Test",
  all: "All",
};

export const LENGTHS: Record<Dataset["lengths"][number]["what"], string> = {
  sentences: "Sentences",
  words: "Words",
  markers: "Start and end markers",
  tokens: "All tokens",
};

/** 1234.5 -> "1,234.5"; two decimals, or one from a hundred on. */
export function mean(value: number): string {
  const digits = Math.abs(value) < 100 ? 2 : 1;
  return new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    value,
  );
}

/** "1.60 (± 0.93; 0.92)": of the sample, then of the population; a dash without values. */
export function spread({ mean: middle, sd, population_sd: population }: Moments): string {
  if (middle === null) return "–";
  return sd === null ? mean(middle) : `${mean(middle)} (± ${mean(sd)}; ${mean(population ?? sd)})`;
}

export function sized(moments: Moments | null): string {
  return moments === null ? "–" : `n = ${count(moments.n)}`;
}

const cells = (moments: Moments | null): Cell[] => [
  moments?.n ?? "",
  moments?.mean ?? "",
  moments?.sd ?? "",
  moments?.population_sd ?? "",
];

export function splitsCsv({ of, random_state, splits }: Dataset): string {
  const header = ["of", "random_state", "split", "sources", "targets", "mean_targets", "max_targets"];
  const rows = splits.map((row): Cell[] => [
    of,
    random_state,
    row.split,
    row.sources,
    row.targets,
    row.mean_targets ?? "",
    row.max_targets ?? "",
  ]);
  return csv([header, ...rows]);
}

export function lengthsCsv({ of, lengths }: Dataset): string {
  const sides = ["sources", "targets"].flatMap((side) => [
    `${side}_n`,
    `${side}_mean`,
    `${side}_sd`,
    `${side}_population_sd`,
  ]);
  const rows = lengths.map((row): Cell[] => [of, row.what, ...cells(row.sources), ...cells(row.targets)]);
  return csv([["of", "count", ...sides], ...rows]);
}

export function countsCsv({ of, counts, closed_correctly }: Dataset): string {
  const rows = counts.map((row): Cell[] => [of, row.key, row.name, ...cells(row.count)]);
  const last: Cell[] = [of, "closed_correctly", "Closed correctly (share)", ...cells(closed_correctly)];
  return csv([["of", "category", "name", "n", "mean", "sd", "population_sd"], ...rows, last]);
}
