import { type Cell, csv } from "../../text/csv";
import type { SpanAgreementPage, SpanAgreementRow, SpanFigure, SpanStatistic } from "./spanApi";

/** Two annotators' numbers as one word ("2-3"); empty: the pairs together. */
export type PairKey = string;

/** In the order of the columns; alpha_u stands for the mean of the pairs where it has none of everyone. */
const SPAN_STATISTICS: readonly SpanStatistic[] = [
  "exact_f1",
  "overlap_any_f1",
  "overlap_any_precision",
  "overlap_any_recall",
  "overlap_iou_f1",
  "overlap_iou_precision",
  "overlap_iou_recall",
  "token_kappa",
  "token_agreement",
  "token_share",
  "alpha_u",
  "alpha_u_pair_mean",
  "comment_equal",
  "comment_rouge_l",
];

export function pairKey(row: SpanAgreementRow): PairKey {
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
    ...SPAN_STATISTICS.flatMap((name) => [name, `${name}_n`, `${name}_pairs`, `${name}_undefined_because`]),
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
    ...SPAN_STATISTICS.flatMap((name) => figureCells(row.figures[name])),
  ];
}

function figureCells({ value, n, pairs, reason }: SpanFigure): Cell[] {
  return [value ?? "", n, pairs ?? "", reason ?? ""];
}
