import {
  type AgreementPage,
  type AgreementRow,
  type Scope,
  STATISTICS,
  type Statistic,
} from "../../api/agreement";
import { csv } from "../../text/csv";

export type View = "all" | "pairs";

/** What the table shows: Cohen's kappa is of two people, an order only some stages have. */
export function statisticsShown(groups: StageGroup[], view: View): Statistic[] {
  const missing = missingEverywhere(groups, view).map(({ statistic }) => statistic);
  return possible(groups, view).filter((statistic) => !missing.includes(statistic));
}

/** Statistics without a value in several rows, all for the same reason: it is said once. */
export function missingEverywhere(
  groups: StageGroup[],
  view: View,
): { statistic: Statistic; reason: string }[] {
  const rows = groups.flatMap((group) => group.rows);
  const [first] = rows;
  if (!first || rows.length === 1) return [];
  return possible(groups, view).flatMap((statistic) => {
    const reason = first.reason[statistic] ?? "";
    const isMissing = rows.every((row) => row[statistic] === null && row.reason[statistic] === reason);
    return isMissing ? [{ statistic, reason }] : [];
  });
}

/** Those that say something of their own here: two are the same as others where all items have as many answers. */
function possible(groups: StageGroup[], view: View): Statistic[] {
  const rows = groups.flatMap((group) => group.rows);
  const isPairs = view === "pairs";
  const isShown: Partial<Record<Statistic, boolean>> = {
    item_agreement: rows.some(twoObserved),
    fleiss_kappa_general: !isPairs && rows.some((row) => row.general_items !== row.fleiss_items),
    alpha_ordinal: rows.some((row) => row.alpha_ordinal !== null),
    cohen_kappa: isPairs,
  };
  return STATISTICS.filter((statistic) => isShown[statistic] ?? true);
}

/** Percent agreement pools pairs of answers, AC1 takes the mean over items: they differ where items differ in answers. */
export function twoObserved({ percent_agreement: pooled, item_agreement: mean }: AgreementRow): boolean {
  return pooled !== null && mean !== null && Math.abs(pooled - mean) > 1e-9;
}

/** All units have no more answers than a majority takes: there is no figure. */
export function isCircular(row: AgreementRow): boolean {
  return row.n_circular > 0 && row.n_circular === row.n_units;
}

type ScopedRow = AgreementRow & { scope: Scope };

export interface StageGroup {
  key: string;
  title: string;
  rows: ScopedRow[];
}

/**
 * The rows under view by stage, in the codebook's order; all rounds together come last, where there are several. Of
 * `pages` in both scopes a row over all items stands before its row over those with a majority.
 */
export function stageGroups(pages: readonly AgreementPage[], view: View, round: number | null): StageGroup[] {
  const [page] = pages;
  if (!page) return [];
  const single = roundsOf(page).length === 1;
  const shown = pages
    .flatMap(({ scope, rows }) => rows.map((row) => ({ ...row, scope })))
    .filter((row) => {
      if (view === "pairs") return row.pair !== null && row.round === round;
      return row.pair === null && !(single && row.round === null);
    });
  return page.stages
    .map(({ key, title }) => ({ key, title, rows: shown.filter((row) => row.stage === key).sort(inOrder) }))
    .filter((group) => group.rows.length > 0);
}

function inOrder(a: AgreementRow & { scope?: Scope }, b: AgreementRow & { scope?: Scope }): number {
  const last = Number.POSITIVE_INFINITY;
  return (
    (a.round ?? last) - (b.round ?? last) ||
    (a.pair?.[0] ?? 0) - (b.pair?.[0] ?? 0) ||
    (a.pair?.[1] ?? 0) - (b.pair?.[1] ?? 0) ||
    Number(a.scope === "majority") - Number(b.scope === "majority")
  );
}

/** Rounds in their order; all of them together come last. */
export function byRound(rows: readonly AgreementRow[]): AgreementRow[] {
  return rows.toSorted(inOrder);
}

// More pairs than the paper's table could hold: one stage at a time, and the first of them.
const MOST_PAIRS = 15;

export function hasManyPairs(page: AgreementPage): boolean {
  const n = page.annotators.length;
  return (n * (n - 1)) / 2 > MOST_PAIRS;
}

/** Of many pairs those who agree least come first; without a value of alpha they come last. */
export function leastFirst(rows: readonly ScopedRow[]): ScopedRow[] {
  const alpha = (row: AgreementRow) => row.alpha_nominal ?? Number.POSITIVE_INFINITY;
  return rows.toSorted((a, b) => (alpha(a) === alpha(b) ? inOrder(a, b) : alpha(a) - alpha(b)));
}

export function roundsOf(page: AgreementPage): number[] {
  return [...new Set(page.rows.flatMap((row) => (row.round === null ? [] : [row.round])))].sort(
    (a, b) => a - b,
  );
}

export function annotatorName(page: AgreementPage, number: number): string {
  return page.annotators.find((person) => person.number === number)?.display_name ?? `annotator ${number}`;
}

// The commonest reason, and no fault of the data: said in short.
const NO_ORDER = "the labels of this stage have no order";

/** Why a statistic has no value, in words; never a number in its place. */
export function whyUndefined(row: AgreementRow, statistic: Statistic): string {
  const reason = row.reason[statistic] ?? "no reason given";
  if (reason.startsWith("circular")) return reason;
  if (reason === NO_ORDER) return "no order";
  return reason.startsWith("undefined") ? reason : `undefined: ${reason}`;
}

/** What is shown, as CSV: full precision, empty where undefined, with the reason beside. */
export function agreementCsv(page: AgreementPage, groups: StageGroup[]): string {
  const header = [
    "scope",
    "phase",
    "stage",
    "round",
    "annotator_a",
    "annotator_b",
    "n_items",
    "n_units",
    "fleiss_items",
    "general_items",
    "general_answers",
    "n_circular",
    "percent_agreement_is",
    "item_agreement_is",
    ...STATISTICS.flatMap((statistic) => [
      statistic,
      `${statistic}_low`,
      `${statistic}_high`,
      `${statistic}_undefined_because`,
    ]),
  ];
  const lines = groups.flatMap(({ key, rows }) => rows.map((row) => csvRow(page, key, row)));
  return csv([header, ...lines]);
}

function csvRow(page: AgreementPage, stage: string, row: ScopedRow): (string | number)[] {
  return [
    row.scope,
    page.phase,
    stage,
    row.round ?? "all",
    row.pair ? annotatorName(page, row.pair[0]) : "all",
    row.pair ? annotatorName(page, row.pair[1]) : "all",
    row.n_items,
    row.n_units,
    row.fleiss_items,
    row.general_items,
    row.general_answers ?? "",
    row.n_circular,
    "pairs of answers pooled",
    "mean over items (observed agreement of AC1)",
    ...STATISTICS.flatMap((statistic) => {
      const value = row[statistic];
      const [low = "", high = ""] = row.ci[statistic] ?? [];
      return value === null ? ["", "", "", row.reason[statistic] ?? ""] : [value, low, high, ""];
    }),
  ];
}
