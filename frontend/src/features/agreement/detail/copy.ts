import type { DetailsPage, Statistic } from "../../../api/agreement";
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

function labelName(page: DetailsPage, place: number): string {
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

/** What the items are called that a statistic stands on. */
export const BASIS_WORDS: Record<Statistic["basis"], string> = {
  n_units: "With 2+ answers",
  fleiss_items: "Complete items",
  general_items: "With the usual number of answers",
};

export function trendWords(trend: Trend | null, { title, share_of }: Statistic): string {
  if (trend === null) return "A trend takes three batches with a value.";
  const value = (slope: number) => (share_of ? `${points(slope)} points` : signed(slope));
  const verdict = trend.low > 0 ? "It rises" : trend.high < 0 ? "It falls" : "No rise or fall stands out";
  return `${verdict}: ${title} changes by ${value(trend.slope)} a round (95 % interval ${value(trend.low)} to ${value(trend.high)}).`;
}

function signed(slope: number): string {
  const words = coefficient(slope, 3);
  return slope > 0 && Number(words) !== 0 ? `+${words}` : words;
}
