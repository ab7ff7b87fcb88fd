import { bounded, coefficient, count, counted, duration, percent } from "../../text/format";
import type { Estimate, Interpretation, Progress } from "./api";
import type { Tally } from "./figures";

const STATES: Record<Interpretation["state"], string> = {
  waiting: "waiting",
  running: "running",
  paused: "paused",
  done: "done",
  failed: "failed",
  cancelled: "cancelled",
};

export function stateWords({ state }: Pick<Interpretation, "state">): string {
  return STATES[state];
}

/** In their order. */
export const STAGES: readonly string[] = ["filter", "train", "generate", "score"];

const STAGE_WORDS: Record<string, string> = {
  filter: "Filtering the sources",
  train: "Training",
  generate: "Generating texts",
  score: "Scoring the instances",
};

export function stageWords(stage: string): string {
  return STAGE_WORDS[stage] ?? stage;
}

const UNITS: Record<string, string> = {
  filter: "sources",
  train: "training steps",
  generate: "texts",
  score: "instances",
};

/** "12 of 40 texts"; nothing while it is not known. */
export function doneWords({ stage, done, total }: Progress): string {
  return total === 0 ? "" : `${count(done)} of ${count(total)} ${UNITS[stage] ?? ""}`.trim();
}

/** "about 3 min". */
export function leftWords({ seconds_left }: Progress): string {
  return seconds_left == null ? "not known yet" : `about ${duration(Math.max(1, Math.round(seconds_left)))}`;
}

/** "12 % of all"; nothing before it began. */
export function progressWords({ fraction }: Progress): string {
  return fraction > 0 ? `${percent(fraction)} of all` : "";
}

/** One line for each system that is done: "Small, lead: 83.1 % right, ROUGE-2 12.40". */
export function headlineOf({ headline }: Pick<Interpretation, "headline">): string[] {
  return headline.map(({ title, main_mean, rouge2 }) => {
    const figures = [
      main_mean !== null && `${percent(main_mean)} right`,
      rouge2 !== null && `ROUGE-2 ${hundred(rouge2)}`,
    ].filter(Boolean);
    return `${title}: ${figures.join(", ") || "no figure"}`;
  });
}

/** A score between 0 and 1 times 100, as the paper prints it: 0.4109 -> "41.09". */
export function hundred(value: number): string {
  return bounded(100 * value, 2);
}

/** 247000000 -> "247 M". */
export function parameterWords(n: number): string {
  if (n < 1_000_000) return `${(n / 1_000).toFixed(0)} k`;
  return `${(n / 1_000_000).toFixed(n < 100_000_000 ? 1 : 0)} M`;
}

export const PARTS: Record<string, string> = {
  words: "words",
  comment: "comments",
  both: "words with comments",
};

const SPLITS: Record<string, string> = { train: "training", valid: "validation", test: "test" };

export function splitWords(split: string): string {
  return SPLITS[split] ?? split;
}

/** Of an estimate, or of results. */
export type Counted = Tally | Estimate["instances"]["tallies"][number];

/** What was left out of one evaluation, as a sentence. */
export function tallyWords(tally: Counted): string {
  const left = (
    [
      [tally.without_part, "without a comment"],
      [tally.no_member, "in no class"],
      [tally.repeated, "in a target that has an instance already"],
      [tally.alone, "alone in their class"],
    ] as const
  )
    .filter(([n]) => n > 0)
    .map(([n, why]) => `${count(n)} ${why}`);
  const nShort = "n_short" in tally ? tally.n_short : tally.short.length;
  const short =
    nShort > 0
      ? ` Fewer negatives than that were found for ${counted(nShort, "positive")}: no others are of like length.`
      : "";
  const outside =
    tally.outside > 0
      ? ` Outside every sentence: ${counted(tally.outside, "positive")}, with all text before as prefix.`
      : "";
  const made = `${counted(tally.instances, "instance")} of ${counted(tally.positives, "positive")}, ${counted(tally.per_positive, "negative")} each at most.`;
  return `${made} Left out of ${counted(tally.spans, "span")}: ${left.join(", ") || "none"}.${short}${outside}`;
}

const FAULTS: Record<string, string> = {
  unopened: "ends without having begun",
  reopened: "begins again while it is open",
  unclosed: "begins and never ends",
};

interface MarkerFault {
  kind: string;
  category: string;
}

/** Each fault once, with how often it occurs: "ACT begins and never ends (2 times)." */
export function faultLines(faults: readonly MarkerFault[]): string[] {
  const times = new Map<string, number>();
  for (const { kind, category } of faults) {
    const words = `${category} ${FAULTS[kind] ?? kind}`;
    times.set(words, (times.get(words) ?? 0) + 1);
  }
  return [...times].map(([words, n]) => (n === 1 ? `${words}.` : `${words} (${count(n)} times).`));
}

const LOG_DIGITS = [2, 3, 4, 5];

/** Two logarithms of probabilities with as many digits as it takes to tell them apart; equal ones with two. */
export function logsWords(one: number, other: number): [string, string] {
  const digits = LOG_DIGITS.find((n) => one.toFixed(n) !== other.toFixed(n)) ?? 2;
  return [coefficient(one, digits), coefficient(other, digits)];
}

/** By whom something is defined, where paper and programs differ. */
export const RULES: Record<string, string> = {
  paper: "as the paper says",
  code: "as the authors’ programs do",
};
