import { count, counted } from "../../text/format";
import type { Evaluation, SystemProgress } from "./api";

const STATES: Record<Evaluation["state"], string> = {
  waiting: "waiting",
  running: "running",
  paused: "paused",
  done: "done",
  failed: "failed",
  cancelled: "cancelled",
};

export function stateWords({ state }: Pick<Evaluation, "state">): string {
  return STATES[state];
}

/** Requests of all systems that are done, of all there are. */
export function shareDone({ progress }: Pick<Evaluation, "progress">): number {
  const [done, total] = amounts(progress.systems);
  return total === 0 ? 0 : done / total;
}

export function progressWords({ progress }: Pick<Evaluation, "progress">): string {
  const [done, total] = amounts(progress.systems);
  return total === 0 ? "" : `${count(done)} of ${counted(total, "prediction")}`;
}

function amounts(systems: readonly SystemProgress[]): [done: number, total: number] {
  return [sum(systems.map(({ answered }) => answered)), sum(systems.map(({ total }) => total))];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

/** "0.42 USD"; less than a cent in more places. */
export function moneyWords(cost: number | null | undefined, currency: string): string {
  if (cost === null || cost === undefined) return "no price given";
  const digits = cost === 0 || cost >= 0.01 ? 2 : 4;
  return `${cost.toFixed(digits)} ${currency}`.trim();
}

export function priceWords({
  price_in,
  price_out,
  currency,
}: {
  price_in: number | null;
  price_out: number | null;
  currency: string;
}): string {
  if (price_in === null || price_out === null) return "The operator gave no prices.";
  return `A million tokens cost ${price_in} ${currency} in and ${price_out} ${currency} out.`;
}

const PROBLEMS: Record<string, string> = {
  refused: "The model refused to answer.",
  cut_off: "The answer was cut off before its end.",
  not_json: "The answer is not JSON.",
  no_object: "The answer is JSON, but not an object with a label.",
  label_not_in_list: "The answer names a label that is not in the list.",
  confidence_out_of_range: "The confidence is no number from 0 to 1.",
  no_label: "The file has no label here.",
};

/** Why an answer counts as not compliant. */
export function problemWords(problem: string): string {
  return PROBLEMS[problem] ?? problem;
}

const PROBLEM_TITLES: Record<string, string> = {
  refused: "refused",
  cut_off: "cut off",
  not_json: "not JSON",
  no_object: "no object",
  label_not_in_list: "another label",
  confidence_out_of_range: "confidence out of range",
  no_label: "no label in the file",
};

export function problemTitle(problem: string): string {
  return PROBLEM_TITLES[problem] ?? problem;
}
