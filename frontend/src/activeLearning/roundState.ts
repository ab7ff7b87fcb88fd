import type { Round, Step, Strategy } from "../api/rounds";
import { capitalised, coefficient, count, counted, duration } from "../text/format";

export function stateWords(round: Pick<Round, "state" | "failed_step">): string {
  switch (round.state) {
    case "draft":
      return "waiting for a worker";
    case "annotating":
      return "open for annotators";
    case "complete":
      return "complete";
    case "failed":
      return round.failed_step ? `failed while ${round.failed_step}` : "failed";
    default:
      return round.state;
  }
}

/** Stands in place of a strategy's name where an admin chose the items. */
const CHOSEN = "chosen";

export function isByAdmin({ strategy_used }: Pick<Round, "strategy_used">): boolean {
  return strategy_used === CHOSEN;
}

export function strategyTitle(strategies: readonly Strategy[], name: string): string {
  if (name === CHOSEN) return "Chosen by an admin";
  return strategies.find((strategy) => strategy.name === name)?.title ?? name;
}

/** "Maximum entropy", or what was asked and what was done instead. */
export function strategyWords(strategies: readonly Strategy[], round: Round): string {
  const used = strategyTitle(strategies, round.strategy_used || round.strategy_asked);
  if (!round.strategy_used || round.strategy_used === round.strategy_asked) return used;
  return `${used} (asked: ${strategyTitle(strategies, round.strategy_asked)})`;
}

/** "learns opinion", or "learns opinion, mp (sum of scores)". */
export function learnsWords({ learning_stages, combine }: Round): string {
  const joined = combine === "max" ? " (highest score)" : " (sum of scores)";
  return `learns ${learning_stages.join(", ")}${learning_stages.length > 1 ? joined : ""}`;
}

interface ShownStep {
  name: string;
  state: Step["state"];
  /** 0 to 1. */
  share: number;
  words: string;
}

/** The machine's steps and the opening of the batch. A round without a model neither trains nor scores. */
export function shownSteps(round: Round): ShownStep[] {
  const people = counted(round.annotators.length, "annotator");
  const open = round.batch !== null;
  return [
    ...round.progress.steps.filter((step) => isNeeded(round, step)).map((step) => shownStep(round, step)),
    {
      name: "open",
      state: open ? "done" : "waiting",
      share: open ? 1 : 0,
      words: `${open ? "Open" : "Opens"} for ${people}`,
    },
  ];
}

function isNeeded(round: Round, step: Step): boolean {
  if (isByAdmin(round)) return false;
  return round.model !== "none" || step.name === "selecting" || step.state === "running";
}

function shownStep(round: Round, step: Step): ShownStep {
  if (step.state === "running") {
    return { ...step, share: round.progress.fraction, words: runningWords(round, step.name) };
  }
  const done = step.state === "done";
  const title =
    step.name === "selecting" ? `Selecting ${count(round.query_size)} items` : capitalised(step.name);
  const took = done && step.seconds !== null ? `: ${duration(step.seconds)}` : "";
  return { ...step, share: done ? 1 : 0, words: `${title}${took}` };
}

function runningWords(round: Round, name: string): string {
  const detail = round.progress.detail;
  if (!detail) return capitalised(name);
  return detail.toLowerCase().startsWith(name) ? capitalised(detail) : `${capitalised(name)}: ${detail}`;
}

/** A number of the round's timings, under whichever of the names the worker wrote it. */
export function stepSeconds(round: Round, ...names: string[]): number | null {
  for (const name of names) {
    const value = round.timings[name];
    if (typeof value === "number") return value;
  }
  const step = round.progress.steps.find(({ name, state }) => state === "done" && names.includes(name));
  return round.model === "none" ? null : (step?.seconds ?? null);
}

const FIGURES: Record<string, string> = {
  macro_f1: "macro-F1",
  accuracy: "accuracy",
  mean_absolute_error: "mean absolute error",
  quadratic_weighted_kappa: "quadratic weighted kappa",
  predicted_positive_share: "predicted positive",
  loss: "loss",
};

/**
 * The figures that fit a table's cell, each with its n: "held out: macro-F1 0.714, accuracy 0.800, n = 120". Where the
 * model has several heads, each bears its stage's key, in the order of `stages`.
 */
export function metricsWords(metrics: Record<string, unknown>, stages: readonly string[]): string[] {
  const heads = metrics.heads;
  if (isTable(heads))
    return stages.flatMap((stage) => {
      const figures = heads[stage];
      return isTable(figures) ? metricsWords(figures, []).map((words) => `${stage}, ${words}`) : [];
    });
  return Object.entries(metrics).flatMap(([name, value]) => {
    if (!isTable(value)) return [];
    const figures = Object.entries(FIGURES).flatMap(([key, words]) => {
      const figure = value[key];
      return typeof figure === "number" ? [`${words} ${coefficient(figure, 3)}`] : [];
    });
    if (figures.length === 0) return [];
    if (typeof value.n === "number") figures.push(`n = ${count(value.n)}`);
    return [`${name.replaceAll("_", " ")}: ${figures.join(", ")}`];
  });
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
