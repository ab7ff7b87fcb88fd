import type { AgreementRow, DetailsPage, Statistic } from "../../../api/agreement";
import { coefficient, count, counted, percent } from "../../../text/format";
import type { Confusion, Mixed } from "./confusions";
import { differing } from "./confusions";
import type { Trend } from "./trend";

export function nameOf(page: Pick<DetailsPage, "annotators">, number: number): string {
  return page.annotators.find((person) => person.number === number)?.display_name ?? `annotator ${number}`;
}

export function pairName(page: Pick<DetailsPage, "annotators">, pair: readonly number[]): string {
  return pair.map((number) => nameOf(page, number)).join(" – ");
}

export function labelName(page: DetailsPage, place: number): string {
  return page.labels[place]?.name ?? "";
}

export function quoted(page: DetailsPage, place: number): string {
  return `“${labelName(page, place)}”`;
}

/** "Ann – Ben: 12 of 40 items differ". */
export function pairWords(page: DetailsPage, confusion: Confusion): string {
  return `${pairName(page, confusion.pair)}: ${count(differing(confusion))} of ${counted(confusion.n, "item")} differ`;
}

/** Which labels two people take for each other. */
export function mixedWords(page: DetailsPage, confusion: Confusion, mixed: readonly Mixed[]): string {
  const [worst] = mixed;
  const [row, column] = confusion.pair.map((number) => nameOf(page, number));
  if (!worst) return `${row} and ${column} gave all ${counted(confusion.n, "item")} the same label.`;
  const first = quoted(page, worst.first);
  const second = quoted(page, worst.second);
  return (
    `Most confused: ${first} with ${second}, on ${count(worst.n)} of ${counted(confusion.n, "item")} ` +
    `(${percent(worst.n / confusion.n)}): ${row} said ${first} and ${column} ${second} on ${count(worst.forwards)}, ` +
    `the other way round on ${count(worst.n - worst.forwards)}.`
  );
}

/** Over all pairs, at most three of them. */
export function mixedOverall(page: DetailsPage, mixed: readonly Mixed[]): string {
  const n = page.confusion.reduce((sum, each) => sum + each.n, 0);
  if (mixed.length === 0) return `All ${counted(n, "pair")} of answers to the same item are equal.`;
  const named = mixed
    .slice(0, 3)
    .map((each) => `${quoted(page, each.first)} with ${quoted(page, each.second)} (${count(each.n)})`);
  return `Of all ${counted(n, "pair")} of answers to the same item, most confused: ${named.join(", ")}.`;
}

/** "+7.2": a difference of shares in points. */
export function points(share: number): string {
  const words = coefficient(100 * share, 1);
  return share > 0 && Number(words) !== 0 ? `+${words}` : words;
}

export const STATISTIC_WORDS: Record<Statistic, string> = {
  percent_agreement: "Percent agreement",
  item_agreement: "Percent agreement, mean over items",
  fleiss_kappa: "Fleiss’ κ",
  fleiss_kappa_general: "Fleiss’ κ, any annotators",
  alpha_nominal: "Krippendorff’s α",
  alpha_ordinal: "α, ordinal",
  cohen_kappa: "Cohen’s κ",
  ac1: "Gwet’s AC1",
};

/** Counted over the items that everyone under view answered; the others over those with two answers or more. */
const ON_COMPLETE: ReadonlySet<Statistic> = new Set(["fleiss_kappa", "cohen_kappa"]);

/** What the items are called that a coefficient is counted over, where they are not those with two answers or more. */
export const BASIS_WORDS: Partial<Record<Statistic, string>> = {
  fleiss_kappa: "Complete items",
  cohen_kappa: "Complete items",
  fleiss_kappa_general: "With the usual number of answers",
};

export function basisOf(row: AgreementRow, statistic: Statistic): number {
  if (statistic === "fleiss_kappa_general") return row.general_items;
  return ON_COMPLETE.has(statistic) ? row.fleiss_items : row.n_units;
}

export function trendWords(trend: Trend | null, name: string, isShare: boolean): string {
  if (trend === null) return "A trend takes three batches with a value.";
  const value = (slope: number) => (isShare ? `${points(slope)} points` : signed(slope));
  const verdict = trend.low > 0 ? "It rises" : trend.high < 0 ? "It falls" : "No rise or fall stands out";
  return `${verdict}: ${name} changes by ${value(trend.slope)} a round (95 % interval ${value(trend.low)} to ${value(trend.high)}).`;
}

function signed(slope: number): string {
  const words = coefficient(slope, 3);
  return slope > 0 && Number(words) !== 0 ? `+${words}` : words;
}
