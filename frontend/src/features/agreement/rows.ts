import {
  type AgreementPage,
  type AgreementRow,
  fitting,
  type Scope,
  type Statistic,
} from "../../api/agreement";
import { csv } from "../../text/csv";
import { bounded, boundedPercent, undefinedWords } from "../../text/format";

export type View = "all" | "pairs";

/** What it is called here. */
export function titleOf(statistic: Statistic, view: View): string {
  return (view === "pairs" && statistic.pair_title) || statistic.title;
}

export function valueWords({ share_of }: Statistic, value: number, digits: number): string {
  return share_of ? boundedPercent(value) : bounded(value, digits);
}

interface Columns {
  shown: Statistic[];
  /** Variants that are the same here as what they are variants of. */
  same: { variant: Statistic; of: Statistic }[];
  /** Statistics without a value in several rows, all for the same reason. */
  missing: { statistic: Statistic; reason: string }[];
}

/** What a table shows, and what it says once in place of a column. */
export function columnsOf(page: AgreementPage, groups: StageGroup[], view: View): Columns {
  const rows = groups.flatMap((group) => group.rows);
  const found: Columns = { shown: [], same: [], missing: [] };
  for (const statistic of defined(page, rows, view)) {
    const { key, variant_of } = statistic;
    const of = page.statistics.find((each) => each.key === variant_of);
    const reason = rows[0]?.reason[key] ?? "";
    if (of && !rows.some((row) => differ(row, statistic, of))) found.same.push({ variant: statistic, of });
    else if (rows.length > 1 && rows.every((row) => row[key] === null && row.reason[key] === reason))
      found.missing.push({ statistic, reason });
    else found.shown.push(statistic);
  }
  return found;
}

/** Some are of two people, and some of one kind of answers. */
export function defined(page: AgreementPage, rows: readonly AgreementRow[], view: View): Statistic[] {
  return page.statistics.filter(
    ({ key, is_of_pairs, measure }) =>
      (!is_of_pairs || view === "pairs") && (measure === null || rows.some((row) => row[key] !== null)),
  );
}

function differ(row: AgreementRow, one: Statistic, other: Statistic): boolean {
  const [a, b] = [row[one.key], row[other.key]];
  return row[one.basis] !== row[other.basis] || (a !== null && b !== null && Math.abs(a - b) > 1e-9);
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

/** Of many pairs those who agree least come first; without a value of the stage's coefficient they come last. */
export function leastFirst(page: AgreementPage, rows: readonly ScopedRow[]): ScopedRow[] {
  const alpha = (row: AgreementRow) => fitting(page, row)?.value ?? Number.POSITIVE_INFINITY;
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

// The commonest reasons, and no fault of the data: said in short.
const SHORT: Record<string, string> = {
  "the labels of this stage have no order": "no order",
  "the answers of this stage are no numbers": "no numbers",
  "the answers of this stage are no sets of labels": "no sets",
  "free text has no coefficient of agreement": "free text has none",
};

/** Why a statistic has no value, in words; never a number in its place. */
export function whyUndefined(row: AgreementRow, statistic: Statistic | undefined): string {
  const reason = row.reason[statistic?.key ?? ""];
  if (reason?.startsWith("circular")) return reason;
  return SHORT[reason ?? ""] ?? undefinedWords(reason);
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
    ...page.statistics.filter(({ share_of }) => share_of).map(({ key }) => `${key}_is`),
    ...page.statistics.flatMap(({ key }) => [key, `${key}_low`, `${key}_high`, `${key}_undefined_because`]),
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
    ...page.statistics.map(({ share_of }) => share_of).filter(Boolean),
    ...page.statistics.flatMap(({ key }) => {
      const value = row[key];
      const [low = "", high = ""] = row.ci[key] ?? [];
      return value === null ? ["", "", "", row.reason[key] ?? ""] : [value, low, high, ""];
    }),
  ];
}
