import { type Cell, csv } from "../../text/csv";
import type { SpanAgreementPage, SpanAgreementRow, SpanFigure } from "./spanApi";

/** Two annotators' numbers as one word ("2-3"); empty: the pairs together. */
export type PairKey = string;

function pairKey(row: SpanAgreementRow): PairKey {
  return row.pair?.join("-") ?? "";
}

/** Pairs in the order of the page, with the names of both. */
export function pairsOf(page: SpanAgreementPage): { value: PairKey; text: string }[] {
  const found = new Map(page.rows.flatMap((row) => (row.pair ? [[pairKey(row), pairNames(page, row)]] : [])));
  return [...found].map(([value, text]) => ({ value, text }));
}

function pairNames(page: SpanAgreementPage, row: SpanAgreementRow): string {
  return row.pair?.map((number) => personName(page, number)).join(" – ") ?? "";
}

function personName(page: SpanAgreementPage, number: number): string {
  return page.annotators.find((person) => person.number === number)?.display_name ?? `annotator ${number}`;
}

export function spanRoundsOf(page: SpanAgreementPage): number[] {
  return [...new Set(page.rows.flatMap((row) => (row.round === null ? [] : [row.round])))].sort(
    (a, b) => a - b,
  );
}

/** The rows of one pair, or of the pairs together, in one round or in all. */
export function spanRows(page: SpanAgreementPage, pair: PairKey, round: number | null): SpanAgreementRow[] {
  return page.rows.filter((row) => row.round === round && pairKey(row) === pair);
}

export function categoryName(page: SpanAgreementPage, row: SpanAgreementRow): string {
  if (row.category === null) return "All categories";
  return page.categories.find((category) => category.key === row.category)?.name ?? row.category;
}

/** What is shown, as CSV: full precision, empty where undefined, with n and the reason beside. */
export function spanCsv(page: SpanAgreementPage, rows: SpanAgreementRow[]): string {
  const header = [
    "category",
    "round",
    "annotator_a",
    "annotator_b",
    ...SIZES,
    ...page.statistics.flatMap(({ key }) => [key, `${key}_n`, `${key}_pairs`, `${key}_undefined_because`]),
  ];
  return csv([header, ...rows.map((row) => csvRow(page, row))]);
}

const SIZES = [
  "n_items",
  "n_pairs",
  "n_a",
  "n_b",
  "n_matched",
  "n_uncommented",
  "alpha_items",
  "alpha_length",
  "alpha_merged",
] as const;

function csvRow(page: SpanAgreementPage, row: SpanAgreementRow): Cell[] {
  return [
    row.category ?? "all",
    row.round ?? "all",
    row.pair ? personName(page, row.pair[0] as number) : "all",
    row.pair ? personName(page, row.pair[1] as number) : "all",
    ...SIZES.map((name) => row[name]),
    ...page.statistics.flatMap(({ key }) => figureCells(row.figures[key])),
  ];
}

function figureCells({ value, n, pairs, reason }: SpanFigure): Cell[] {
  return [value ?? "", n, pairs ?? "", reason ?? ""];
}
