import { typedNumber } from "../../../text/typedNumber";
import type { Choices, Gold, SpecBody } from "../api";

/** The start form as it is typed: numbers stay text until they are sent. */
export interface Spec {
  name: string;
  /** "labels", or "release 3". */
  gold: string;
  phase: "1" | "2";
  adjudicated: boolean;
  stages: string[];
  systems: string[];
  folds: string;
  seed: string;
  examples: string;
  pool: string;
  /** A round's number; empty: no batch is asked about. */
  batch: string;
  epsilon: string;
  /** Stage -> version of its prompt; what is not named takes the newest. */
  prompts: Record<string, number>;
}

/** The form as it is kept. Without a choice of stages there are those with enough gold labels. */
export type KeptSpec = Omit<Spec, "stages"> & { stages: string[] | null };

export interface PartProps {
  choices: Choices;
  spec: Spec;
  errors: Record<string, string[]>;
  change: (part: Partial<Spec>) => void;
}

/** The server asks for a name, also where nothing is stored. */
export const ESTIMATED = "Estimate";

/** Items of each stage that a trial asks about. */
export const TRIAL = 5;

/** Fewer gold labels than these compare nothing. */
export const LEAST_GOLD = 2;

const TRIAL_ONLY = { limit: TRIAL, pool: 0, batch: null };

export function goldKey({ kind, number }: Pick<Gold, "kind" | "number">): string {
  return kind === "labels" ? "labels" : `release ${number}`;
}

export function defaultSpec(choices: Choices): KeptSpec {
  const baselines = choices.systems.filter(({ kind, available }) => kind === "majority" && available);
  return {
    ...{ name: "", gold: goldKey(choices.gold[0] ?? { kind: "labels", number: null }) },
    ...{ phase: "1", adjudicated: true },
    stages: null,
    systems: baselines.map(({ name }) => name),
    ...{ folds: "4", seed: "0", examples: "0", pool: "0", batch: "", epsilon: "0.15", prompts: {} },
  };
}

/** The chosen systems that are language models, in the order of the list. */
export function chosenModels(spec: Spec, choices: Choices): Choices["language_models"] {
  return choices.language_models.filter(({ name }) => spec.systems.includes(name));
}

export function goldOf({
  gold,
  phase,
  adjudicated,
}: Pick<Spec, "gold" | "phase" | "adjudicated">): SpecBody["gold"] {
  if (gold === "labels") return { kind: "labels", phase: Number(phase) as 1 | 2, adjudicated };
  return { kind: "release", number: Number(gold.replace("release ", "")) };
}

export function specBody(spec: Spec, { prompts }: Choices): SpecBody {
  return {
    name: spec.name.trim(),
    gold: goldOf(spec),
    stages: spec.stages,
    systems: spec.systems,
    folds: Number(spec.folds),
    examples: Number(spec.examples),
    seed: Number(spec.seed),
    pool: Number(spec.pool),
    batch: typedNumber(spec.batch),
    epsilon: Number(spec.epsilon) as SpecBody["epsilon"],
    // Named, so that what was read is what is asked, whatever is saved meanwhile.
    prompts: Object.fromEntries(
      prompts
        .filter(({ stage }) => spec.stages.includes(stage))
        .map(({ stage, number }) => [stage, spec.prompts[stage] ?? number]),
    ),
  };
}

/** What a trial asks for: language models alone, a few items of each stage, and nothing of the pool. */
export function trialBody(spec: Spec, choices: Choices): SpecBody {
  const systems = chosenModels(spec, choices).map(({ name }) => name);
  return { ...specBody(spec, choices), name: `Trial: ${systems.join(", ")}`, systems, ...TRIAL_ONLY };
}

/** Every fault that needs no server to be seen, by the server's own field names. */
export function specFaults(spec: Spec, choices: Choices, hasFile: boolean): Record<string, string[]> {
  const faults: Record<string, string[]> = numberFaults(spec, choices);
  if (spec.name.trim() === "") faults.name = ["Give it a name, to find it again."];
  if (spec.stages.length === 0) faults.stages = ["Choose at least one stage."];
  if (spec.systems.length === 0 && !hasFile) faults.systems = ["Choose at least one system, or a file."];
  return faults;
}

/** Numbers that are none, or out of what is taken. */
export function numberFaults(spec: Spec, { limits }: Choices): Record<string, string[]> {
  const ends: [field: "folds" | "examples" | "pool" | "seed", least: number, most: number][] = [
    ["folds", limits.least_folds, limits.folds],
    ["examples", 0, limits.examples],
    ["pool", 0, limits.pool],
    ["seed", 0, 2 ** 31 - 1],
  ];
  const faults: Record<string, string[]> = {};
  for (const [field, least, most] of ends) {
    const typed = spec[field].trim();
    const value = Number(typed);
    if (!/^\d+$/.test(typed) || value < least || value > most)
      faults[field] = [`Write a whole number from ${least} to ${most}.`];
  }
  return faults;
}
