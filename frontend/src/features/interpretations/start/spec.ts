import type { Choices, EvaluationChoice, SpecBody, SystemBody } from "../api";

/** A system as it is typed. An empty title follows what it is made of. */
export interface SystemRow {
  row: number;
  title: string;
  kind: string;
  model: string;
  filter: string;
  filterModel: string;
  budget: string;
  augment: string;
  /** Empty: what is usual for the kind. */
  maxEpochs: string;
}

/** The start form as it is typed: numbers stay text until they are sent. */
export interface Spec {
  name: string;
  data: string;
  systems: SystemRow[];
  evaluations: string[];
  seed: string;
  split: "test" | "valid";
  prefix: "sentence" | "target";
  beams: string;
  minTokens: string;
  maxTokens: string;
  /** "0": all. */
  limit: string;
  bertscore: string;
  rules: string;
  replacePositive: boolean;
  /** Empty: that of the kind. */
  learningRate: string;
  schedule: string;
  patience: string;
  batchSize: string;
}

/** The form as it is kept. Without a choice of evaluations there are all that can be used. */
export type KeptSpec = Omit<Spec, "evaluations"> & { evaluations: string[] | null };

export interface PartProps {
  choices: Choices;
  spec: Spec;
  errors: Record<string, string[]>;
  change: (part: Partial<Spec>) => void;
}

/** The server asks for a name, also where nothing is stored. */
export const ESTIMATED = "Estimate";

export const FILTERBERT = "filterbert";

/** Small ones come first in the server's list, so the first that is there is the default. */
export function modelsOf(choices: Choices, kind: string): Choices["models"] {
  return choices.models.filter(({ kinds }) => kinds.includes(kind));
}

function firstModel(choices: Choices, kind: string): string {
  const models = modelsOf(choices, kind);
  return (models.find(({ available }) => available) ?? models[0])?.name ?? "";
}

/** The kind, with a model that fits it. */
export function withKind(choices: Choices, row: SystemRow, kind: string): SystemRow {
  const fits = modelsOf(choices, kind).some(({ name, available }) => name === row.model && available);
  return { ...row, kind, model: fits ? row.model : firstModel(choices, kind) };
}

/** The filter, with a model where it is one that learns. */
export function withFilter(choices: Choices, row: SystemRow, filter: string): SystemRow {
  return { ...row, filter, filterModel: filter === FILTERBERT ? firstModel(choices, FILTERBERT) : "" };
}

/** A model that learns within minutes on a processor: pretrained and small, where there is one. */
function usualKind(choices: Choices): string {
  const has = (kind: string) => modelsOf(choices, kind).some(({ available }) => available);
  const offered: string[] = choices.kinds.filter(({ available }) => available).map(({ name }) => name);
  return ["bert", ...offered].find((kind) => offered.includes(kind) && has(kind)) ?? offered[0] ?? "bert";
}

export function newSystem(choices: Choices, row: number): SystemRow {
  const filter = choices.filters.find(({ name }) => name === "lead") ?? choices.filters[0];
  const empty: SystemRow = {
    ...{ row, title: "", kind: "", model: "", filter: filter?.name ?? "lead", filterModel: "" },
    ...{ budget: String(choices.defaults.budget), augment: "0", maxEpochs: "" },
  };
  return withKind(choices, empty, usualKind(choices));
}

/** What few people change. */
const ADVANCED = {
  ...{ rules: "paper", replacePositive: false },
  ...{ learningRate: "", schedule: "paper", patience: "1", batchSize: "4" },
};

export function defaultSpec(choices: Choices): KeptSpec {
  const { defaults } = choices;
  return {
    name: "",
    data: (choices.data.find(({ usable }) => usable) ?? choices.data[0])?.key ?? "",
    systems: [newSystem(choices, 1)],
    evaluations: null,
    ...{ seed: "0", split: "test", prefix: "sentence" },
    beams: String(defaults.beams),
    minTokens: String(defaults.min_tokens),
    maxTokens: String(defaults.max_tokens),
    ...{ limit: "0", bertscore: "", ...ADVANCED },
  };
}

/** A form that was kept may name what is offered no more. */
export function completed(kept: KeptSpec, choices: Choices): Spec {
  const usable = choices.evaluations.filter((each) => each.usable).map(({ id }) => id);
  const chosen = kept.evaluations ?? usable;
  return {
    // A form that was kept before these were there has none of them.
    ...ADVANCED,
    ...kept,
    data: choices.data.some(({ key }) => key === kept.data) ? kept.data : defaultSpec(choices).data,
    evaluations: usable.filter((id) => chosen.includes(id)),
    bertscore: choices.encoders.some(({ name }) => name === kept.bertscore) ? kept.bertscore : "",
  };
}

export function epochsShown(choices: Choices, row: SystemRow): string {
  const kind = choices.kinds.find(({ name }) => name === row.kind);
  return row.maxEpochs.trim() || String(kind?.epochs ?? choices.limits.max_epochs);
}

/** "BERT (MiniLM), Lead": what was not typed follows the choices, and no two are the same. */
export function shownTitles(choices: Choices, systems: readonly SystemRow[]): string[] {
  const titles: string[] = [];
  for (const row of systems) {
    const own = row.title.trim() || usualTitle(choices, row);
    let title = own;
    for (let n = 2; !row.title.trim() && titles.includes(title); n += 1) title = `${own} (${n})`;
    titles.push(title);
  }
  return titles;
}

/** The server takes 60, and a number may follow. */
const LONGEST_USUAL = 55;

function usualTitle(choices: Choices, row: SystemRow): string {
  const named = (list: readonly { name: string; title: string }[], name: string) =>
    list.find((each) => each.name === name)?.title ?? name;
  const parts = [
    `${named(choices.kinds, row.kind)}: ${named(choices.models, row.model)}`,
    named(choices.filters, row.filter),
    Number(row.budget) !== choices.defaults.budget && `${row.budget} tokens`,
    Number(row.augment) > 0 && "augmented",
  ];
  return parts.filter(Boolean).join(", ").slice(0, LONGEST_USUAL);
}

export function specBody(spec: Spec, choices: Choices): SpecBody {
  const titles = shownTitles(choices, spec.systems);
  return {
    name: spec.name.trim(),
    data: spec.data,
    systems: spec.systems.map(
      (row, place): SystemBody => ({
        title: titles[place] ?? "",
        ...{ kind: row.kind, model: row.model, filter: row.filter, filter_model: row.filterModel },
        budget: Number(row.budget),
        augment: Number(row.augment),
        max_epochs: row.maxEpochs.trim() === "" ? null : Number(row.maxEpochs),
      }),
    ),
    evaluations: spec.evaluations,
    seed: Number(spec.seed),
    split: spec.split,
    prefix: spec.prefix,
    generation: {
      beams: Number(spec.beams),
      min_tokens: Number(spec.minTokens),
      max_tokens: Number(spec.maxTokens),
      limit: Number(spec.limit),
    },
    bertscore: spec.bertscore,
    rules: spec.rules,
    replace_positive: spec.replacePositive,
    training: {
      learning_rate: spec.learningRate.trim() === "" ? null : Number(spec.learningRate),
      schedule: spec.schedule,
      patience: Number(spec.patience),
      batch_size: Number(spec.batchSize),
    },
  };
}

/** Every fault that needs no server to be seen, by the server's own field names. */
export function specFaults(spec: Spec, choices: Choices): Record<string, string[]> {
  const faults: Record<string, string[]> = estimateFaults(spec, choices);
  if (spec.name.trim() === "") faults.name = ["Give it a name, to find it again."];
  return faults;
}

/** Those that leave nothing to be estimated. */
export function estimateFaults(spec: Spec, choices: Choices): Record<string, string[]> {
  const { limits } = choices;
  const faults: Record<string, string[]> = {};
  const whole = (place: string, typed: string, least: number, most: number) => {
    const value = Number(typed.trim());
    if (!/^\d+$/.test(typed.trim()) || value < least || value > most)
      faults[place] = [`Write a whole number from ${least} to ${most}.`];
  };
  whole("seed", spec.seed, 0, 2 ** 31 - 1);
  whole("training.patience", spec.patience, 1, limits.max_epochs);
  whole("training.batch_size", spec.batchSize, 1, limits.batch_size);
  const rate = Number(spec.learningRate);
  if (spec.learningRate.trim() !== "" && !(rate > 0 && rate <= 1))
    faults["training.learning_rate"] = ["Write a number above 0, 1 at most, or leave it empty."];
  whole("generation.beams", spec.beams, 1, limits.beams);
  whole("generation.max_tokens", spec.maxTokens, 1, limits.max_tokens);
  whole("generation.min_tokens", spec.minTokens, 0, limits.max_tokens);
  whole("generation.limit", spec.limit, 0, limits.limit);
  if (!faults["generation.min_tokens"] && Number(spec.minTokens) > Number(spec.maxTokens))
    faults["generation.min_tokens"] = ["The least must not be above the most."];
  const data = choices.data.find(({ key }) => key === spec.data);
  if (!data?.usable) faults.data = [data?.reason || "Choose data that there are."];
  const titles = shownTitles(choices, spec.systems);
  spec.systems.forEach((row, place) => {
    const at = `systems[${place}]`;
    whole(`${at}.budget`, row.budget, limits.least_budget, limits.budget);
    whole(`${at}.augment`, row.augment, 0, limits.augment);
    whole(`${at}.max_epochs`, epochsShown(choices, row), 1, limits.max_epochs);
    if (titles.indexOf(titles[place] ?? "") < place)
      faults[`${at}.title`] = ["Another system already has this title."];
    const model = choices.models.find(({ name }) => name === row.model);
    if (!model?.available || !model.kinds.includes(row.kind))
      faults[`${at}.model`] = [model?.note || "Choose a model of this kind."];
    if (Number(row.augment) > 0 && !spec.evaluations.some((id) => isMain(choices.evaluations, id)))
      faults[`${at}.augment`] = [
        "Choose an evaluation that is not in depth: its classes give the new targets.",
      ];
  });
  return faults;
}

function isMain(evaluations: readonly EvaluationChoice[], id: string): boolean {
  return evaluations.some((each) => each.id === id && !each.in_depth);
}
