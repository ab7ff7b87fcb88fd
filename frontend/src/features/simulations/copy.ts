import { coefficient, count, counted, duration } from "../../text/format";
import type {
  Curve,
  Difference,
  Reached,
  Simulation,
  SimulationDetail,
  SimulationState,
  Spread,
  StrategySummary,
  Study,
  Summary,
} from "./api";

export function stateWords(simulation: Pick<Simulation, "state" | "progress">): string {
  const words: Record<SimulationState, string> = {
    waiting: simulation.progress.batches > 0 ? "waiting to go on" : "waiting for the worker",
    running: "running",
    done: "done",
    failed: "failed",
    cancelled: "cancelled",
  };
  return words[simulation.state];
}

export function sourceWords({ texts }: Pick<Simulation, "texts">): string {
  const sizes = `${count(texts.train.n)} to learn from, ${count(texts.test.n)} to test on`;
  if (texts.source === "upload") return `${texts.files?.train ?? "a file"}: ${sizes}`;
  return `own labels of stage ${texts.stage}: ${sizes}`;
}

export function comparedWords({ config }: Pick<Simulation, "config">): string {
  return config.strategies.map(({ key }) => key).join(", ");
}

/** "48 of 181 trainings, about 2 min left". */
export function progressWords({ progress, state }: Pick<Simulation, "progress" | "state">): string {
  const done = `${count(progress.batches)} of ${counted(progress.trainings, "training")}`;
  if (state !== "running" || progress.batches < 3 || progress.fraction <= 0) return done;
  const left = (progress.seconds * (1 - progress.fraction)) / progress.fraction;
  return `${done}, about ${duration(Math.max(1, Math.round(left)))} left`;
}

/** The core names a run "cal__bow-logreg__b50__s13": said in words. */
function runWords(name: string): string {
  const [strategy, model, size, seed] = name.split("__");
  if (!strategy || !model || !size || !seed) return name;
  const batches = size === "b0" ? "" : `, batches of ${size.slice(1)}`;
  return `${strategy.replace("full-supervision", "full supervision")} with ${model}${batches}, seed ${seed.slice(1)}`;
}

/** The core's detail is "3 of 12 batches; a__b__b5__s1, ... running". */
export function nowWords(detail: string): string {
  const running = /; (.+) running$/.exec(detail)?.[1];
  if (!running || running === "no cell") return detail && !detail.includes("batches") ? detail : "";
  return `Now: ${running.split(", ").map(runWords).join("; ")}.`;
}

/** A figure of F1's size, without the leading zero's noise: ".748". */
export function score(value: number, digits = 3): string {
  return coefficient(value, digits);
}

export function spreadWords(spread: Pick<Spread, "mean" | "sd"> | undefined): string {
  if (!spread) return "–";
  const { mean, sd } = spread;
  return sd === null ? score(mean) : `${score(mean)} ± ${score(sd)}`;
}

export function signed(value: number): string {
  const words = coefficient(value, 4);
  return value > 0 && Number(value.toFixed(4)) !== 0 ? `+${words}` : words;
}

/** "300 (5 of 5), 0.60x": labels on the mean curve, the seeds that get there, and the share of the baseline's. */
export function reachedWords(reached: Reached | undefined): string {
  if (!reached) return "–";
  const seeds = reached.by_seed.filter((labels) => labels !== null).length;
  const counts = `(${seeds} of ${reached.by_seed.length})`;
  if (reached.mean_curve === null) return `not reached ${counts}`;
  const times = reached.utilisation == null ? "" : `, ${reached.utilisation.toFixed(2)}x`;
  return `${count(reached.mean_curve)} ${counts}${times}`;
}

/** null: one seed has none; undefined: an earlier version did not count it. */
export function intervalWords(interval: [number, number] | null | undefined): string {
  if (interval === undefined) return "not counted";
  return interval ? `${signed(interval[0])} to ${signed(interval[1])}` : "none";
}

/** "3 of 40 models": how many of a strategy's models had learned nothing. */
export function informativeWords({ n_not_informative, last_macro_f1 }: StrategySummary): string {
  if (!n_not_informative) return "not counted";
  const none = n_not_informative.reduce((sum, n) => sum + n, 0);
  return `${count(none)} of ${count(n_not_informative.length * last_macro_f1.by_seed.length)} models`;
}

/** Which of the comparisons was decided on before the run. */
export function namedCaveat({ config }: Pick<Simulation, "config">): string {
  const { primary, primary_part, baseline } = config;
  if (!primary)
    return "No comparison was named before the run: all are exploratory, and not corrected for their number.";
  const where = primary_part || "all test items";
  return `One comparison was named before the run: ${primary} − ${baseline}, by area, on ${where}. All others are exploratory, and not corrected for their number.`;
}

export function seedsWords({ by_seed, n_higher, n_equal }: Difference): string {
  return `${n_higher} / ${n_equal} / ${by_seed.length - n_higher - n_equal}`;
}

interface Winner {
  label: string;
  summary: StrategySummary;
  difference: Difference | undefined;
}

/** The strategy with the largest mean area, with its difference from the baseline. */
export function winnerOf(study: Study): Winner | null {
  const [first, ...others] = Object.entries(study.strategies);
  if (!first) return null;
  const [label, summary] = others.reduce(
    (best, next) => (next[1].area_under_curve.mean > best[1].area_under_curve.mean ? next : best),
    first,
  );
  const difference = study.differences.find(
    (each) =>
      each.strategy === label && each.against === study.baseline && each.measure === "area_under_curve",
  );
  return { label, summary, difference };
}

/** What the number of seeds allows one to say. */
export function seedsCaveat(seeds: number): string {
  if (seeds === 1)
    return "One seed says nothing about chance: another first batch may reverse the order. Take five or more.";
  const chance = 2 ** (seeds - 1);
  const few =
    seeds <= 5
      ? "Up to five seeds make a wide interval"
      : "An interval over seeds holds for this test set alone";
  return `${few}: look at the single seeds. If two strategies did not differ, all ${seeds} seeds would still agree on a direction once in ${chance} times.`;
}

/** How coarse the test set makes every figure. */
export function testCaveat(n: number): string {
  return `The test set has ${counted(n, "item")}: one of them is ${(100 / n).toFixed(1)} points of accuracy. All seeds are tested on the same ones, so that the intervals know nothing of other texts.`;
}

/** macro-F1, over the labels that occur, of a model that always says the test set's commonest label. */
export function blindScore({ test }: Pick<Simulation["texts"], "test">) {
  const entries = Object.entries(test.class_counts);
  const n = entries.reduce((sum, [, own]) => sum + own, 0);
  const [label, most] = entries.reduce((best, next) => (next[1] > best[1] ? next : best));
  return { label, macroF1: (2 * most) / (n + most) / entries.length };
}

/** What a figure must be above to mean anything. */
export function blindCaveat({ texts }: Pick<Simulation, "texts">, summary: Summary): string {
  const { label, macroF1 } = blindScore(texts);
  const full = Object.values(summary.full_supervision).flatMap((each) => (each ? [each.macro_f1.mean] : []));
  const poor = full.some((mean) => mean <= macroF1)
    ? " Full supervision is no better than that: there are too few texts to learn from, and no order of strategies can be read here."
    : "";
  return `A model that always says “${label}” has a macro-F1 of ${score(macroF1)} on this test set.${poor}`;
}

export function sameOrderCaveat({ same_order }: Pick<SimulationDetail, "same_order">): string {
  return same_order.length > 0
    ? `With two labels ${same_order.join(", ")} give the same order by definition.`
    : "";
}

/** Labels of the project's own rounds are no sample of its pool. */
export function ownLabelsCaveat({ texts }: Pick<Simulation, "texts">): string {
  return texts.source === "stage"
    ? "The labels are this project's own: its rounds chose what was labelled, so that they are no random sample of its pool."
    : "";
}

/** Strategies whose curves are the same in every seed. */
export function coinciding(study: Study): string[] {
  const groups = new Map<string, string[]>();
  for (const [label, { macro_f1, class_shares }] of Object.entries(study.strategies)) {
    const key = JSON.stringify([macro_f1, class_shares]);
    groups.set(key, [...(groups.get(key) ?? []), label]);
  }
  return [...groups.values()]
    .filter((labels) => labels.length > 1)
    .map((labels) => `The curves of ${labels.join(", ")} coincide in every seed.`);
}

/** Labels whose share is drawn: the positive ones, else the second of two, else all. */
export function shownClasses({ config, texts }: Pick<Simulation, "config" | "texts">): string[] {
  const labels = Object.keys(texts.train.class_counts);
  const positive = labels.filter((label) => config.positive_labels.includes(label));
  if (positive.length > 0) return positive;
  return labels.length === 2 ? labels.slice(1) : labels;
}

/** Batches of a run; full supervision is one training. */
export function wanted(simulation: Simulation, { batch_size }: Pick<Curve, "batch_size">): number {
  if (batch_size === 0) return 1;
  return Math.min(simulation.config.batches, Math.ceil(simulation.texts.train.n / batch_size));
}
