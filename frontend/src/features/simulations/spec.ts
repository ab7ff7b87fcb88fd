import { optionFaults, optionValues } from "../../activeLearning/roundSpec";
import type { Strategy } from "../../api/rounds";
import { count, counted, duration } from "../../text/format";
import { isWhole } from "../../text/whole";
import type { Choices, SimulationBody, Texts } from "./api";

/** A compared strategy as it is typed. An empty key follows the strategy and its options. */
export interface CaseRow {
  row: number;
  name: string;
  key: string;
  options: Record<string, string>;
}

/** A part of the test items as it is typed: those whose line has the value in the field. */
export interface PartRow {
  row: number;
  key: string;
  field: string;
  value: string;
}

/** The start form as it is typed: numbers stay text until they are sent. */
export interface Spec {
  name: string;
  kind: "upload" | "stage";
  stage: string;
  share: string;
  randomState: string;
  train: File | null;
  test: File | null;
  /** Lines of the train file, once they are counted. */
  nTrain: number | null;
  positive: string;
  cases: CaseRow[];
  models: string[];
  seeds: string;
  batchSizes: string;
  batches: string;
  fullSupervision: "first" | "all" | "none";
  baseline: string;
  /** Marks for missing; empty: every label is one. */
  missing: string;
  parts: PartRow[];
  /** Of the string test, one a line; empty: there is no test. */
  phrases: string;
  phraseLabel: string;
  otherLabel: string;
  primary: string;
  primaryPart: string;
  areas: "all" | "later";
}

/** What each part of the form gets. */
export interface PartProps {
  choices: Choices;
  spec: Spec;
  errors: Record<string, string[]>;
  change: (part: Partial<Spec>) => void;
}

const KEY = /^[A-Za-z0-9][A-Za-z0-9.-]*(_[A-Za-z0-9.-]+)*$/;
const BAD_KEY = 'Use letters, digits, ".", "-", single "_".';
const USUAL_BATCH = 150;
const USUAL_BATCHES = 20;

function usableStage(choices: Choices): Choices["stages"][number] | undefined {
  return choices.stages.find((stage) => stage.reasons.length === 0);
}

export function defaultSpec(choices: Choices): Spec {
  const stage = usableStage(choices);
  const available = choices.models.filter((model) => model.available);
  const model = available.find(({ name }) => name === "bow-logreg") ?? available[0] ?? choices.models[0];
  return {
    name: "",
    kind: stage ? "stage" : "upload",
    stage: stage?.key ?? choices.stages[0]?.key ?? "",
    share: "30",
    randomState: "0",
    train: null,
    test: null,
    nTrain: null,
    positive: "",
    cases: [
      { row: 1, name: "random", key: "", options: {} },
      { row: 2, name: "entropy", key: "", options: {} },
    ],
    models: model ? [model.name] : [],
    seeds: "13, 14, 15",
    batchSizes: "",
    batches: "",
    fullSupervision: "first",
    baseline: "",
    missing: "",
    parts: [],
    phrases: "",
    phraseLabel: "",
    otherLabel: "",
    primary: "",
    primaryPart: "",
    areas: "all",
  };
}

/** Items of the pool, as far as they are known. */
function poolSize(spec: Spec, choices: Choices): number | null {
  if (spec.kind === "upload") return spec.nTrain;
  const stage = choices.stages.find(({ key }) => key === spec.stage);
  const share = Number(spec.share) / 100;
  return stage && share > 0 && share < 1 ? Math.round(stage.n * (1 - share)) : null;
}

/** 150, or less where the pool holds no ten batches of it. */
function usualBatchSize(pool: number | null): number {
  return pool === null ? USUAL_BATCH : Math.max(1, Math.min(USUAL_BATCH, Math.floor(pool / 10)));
}

export function shownBatchSizes(spec: Spec, choices: Choices): string {
  return spec.batchSizes || String(usualBatchSize(poolSize(spec, choices)));
}

export function shownBatches(spec: Spec): string {
  return spec.batches || String(USUAL_BATCHES);
}

/** "cal-k10": what was not typed follows the strategy and its options, and no two are the same. */
export function shownKeys(cases: readonly CaseRow[]): string[] {
  const keys: string[] = [];
  for (const row of cases) {
    const options = Object.entries(row.options).map(
      ([name, value]) => `${name === "preset" ? "" : name}${value}`,
    );
    const own = row.key || cleaned([row.name, ...options].join("-"));
    let key = own;
    for (let n = 2; !row.key && keys.includes(key); n += 1) key = `${own}-${n}`;
    keys.push(key);
  }
  return keys;
}

function cleaned(words: string): string {
  return words
    .replaceAll("_", "-")
    .replaceAll(/[^A-Za-z0-9.-]/g, "")
    .slice(0, 40);
}

export function baselineShown(spec: Spec): string {
  const keys = shownKeys(spec.cases);
  if (keys.includes(spec.baseline)) return spec.baseline;
  const random = spec.cases.findIndex(({ name }) => name === "random");
  return keys[Math.max(0, random)] ?? "";
}

/** Strategies that may be compared with the baseline by a name given beforehand. */
export function primaryChoices(spec: Spec): string[] {
  const baseline = baselineShown(spec);
  return shownKeys(spec.cases).filter((key) => key !== baseline);
}

export function primaryShown(spec: Spec): string {
  return primaryChoices(spec).includes(spec.primary) ? spec.primary : "";
}

/** Own labels are written without other fields, so that they have no parts. */
export function partsOf({ kind, parts }: Spec): PartRow[] {
  return kind === "upload" ? parts : [];
}

export function primaryPartShown(spec: Spec): string {
  const named = partsOf(spec).some(({ key }) => key.trim() === spec.primaryPart);
  return spec.primaryPart && named && primaryShown(spec) ? spec.primaryPart : "";
}

/** As JSON has it where it is true, false, a whole number or a quoted text; else the text as it stands. */
export function partValue(typed: string): string | number | boolean {
  try {
    const value: unknown = JSON.parse(typed);
    if (typeof value === "boolean" || typeof value === "string" || Number.isSafeInteger(value))
      return value as string | number | boolean;
  } catch {
    // A text without quotation marks.
  }
  return typed.trim();
}

export function phrasesOf(spec: Spec): string[] {
  return spec.phrases
    .split("\n")
    .map((phrase) => phrase.trim())
    .filter(Boolean);
}

/** "13, 14 15" -> [13, 14, 15]; null where a part is no whole number. */
export function numbers(typed: string): number[] | null {
  const parts = typed.split(/[\s,;]+/).filter(Boolean);
  return parts.every(isWhole) ? parts.map(Number) : null;
}

interface Amount {
  cells: number;
  trainings: number;
  /** null: not known, since no simulation with one of the models was finished here. */
  seconds: number | null;
  unknownModel: string | null;
}

/** How much there is to do; null while a number of the form is not one. */
export function amountOf(spec: Spec, choices: Choices): Amount | null {
  const seeds = numbers(spec.seeds);
  const sizes = numbers(shownBatchSizes(spec, choices));
  const batches = Number(shownBatches(spec));
  if (!seeds || !sizes || !Number.isInteger(batches) || sizes.some((size) => size < 1)) return null;
  const pool = poolSize(spec, choices) ?? Number.POSITIVE_INFINITY;
  const lines = spec.cases.length * seeds.length;
  const perModel = lines * sizes.reduce((sum, size) => sum + Math.min(batches, Math.ceil(pool / size)), 0);
  const full = { first: 1, all: seeds.length, none: 0 }[spec.fullSupervision];
  const cells = spec.models.length * (lines * sizes.length + full);
  const trainings = spec.models.length * (perModel + full);
  return { cells, trainings, ...timeOf(spec, choices, perModel + full, cells) };
}

function timeOf(spec: Spec, choices: Choices, perModel: number, cells: number) {
  const models = choices.models.filter(({ name }) => spec.models.includes(name));
  const unknown = models.find(({ seconds_per_batch }) => seconds_per_batch === null);
  if (unknown) return { seconds: null, unknownModel: unknown.title };
  const batches = models.reduce((sum, model) => sum + perModel * (model.seconds_per_batch ?? 0), 0);
  const seconds = (batches + cells * (choices.seconds_per_cell ?? 0)) / choices.processes;
  return { seconds, unknownModel: null };
}

export function amountWords(amount: Amount, choices: Choices): string {
  const work = `${counted(amount.cells, "run")}, ${counted(amount.trainings, "training")} in all.`;
  if (amount.trainings > choices.limits.trainings)
    return `${work} ${count(choices.limits.trainings)} are the most: take fewer seeds, strategies or batches.`;
  if (amount.unknownModel !== null)
    return `${work} How long that takes is not known: no simulation with ${amount.unknownModel} has been finished here yet.`;
  return amount.seconds === null
    ? work
    : `${work} About ${duration(Math.max(1, Math.round(amount.seconds)))}, going by the last simulations here.`;
}

/** Every fault that needs no server to be seen, by the server's own field names. */
export function specFaults(
  spec: Spec,
  strategies: readonly Strategy[],
  choices: Choices,
): Record<string, string[]> {
  const faults: Record<string, string[]> = {};
  if (spec.name.trim() === "") faults.name = ["Give it a name, to find it again."];
  if (spec.kind === "upload")
    for (const part of ["train", "test"] as const) {
      const most = choices.limits.file_bytes;
      const file = spec[part];
      if (!file) faults[part] = ["Choose a file."];
      else if (file.size > most) faults[part] = [`Larger than ${count(most / 1024 ** 2)} MiB.`];
    }
  if (spec.models.length === 0) faults.models = ["Choose at least one model."];
  for (const [field, typed] of [
    ["seeds", spec.seeds],
    ["batch_sizes", shownBatchSizes(spec, choices)],
  ] as const) {
    const found = numbers(typed);
    if (!found?.length) faults[field] = ["Write whole numbers with commas between them."];
  }
  if (!isWhole(shownBatches(spec)) || Number(shownBatches(spec)) < 2)
    faults.batches = ["Write a whole number of 2 or more."];
  return { ...faults, ...casesFaults(spec, strategies), ...reportFaults(spec) };
}

function casesFaults(spec: Spec, strategies: readonly Strategy[]): Record<string, string[]> {
  const faults: Record<string, string[]> = {};
  const keys = shownKeys(spec.cases);
  spec.cases.forEach((row, place) => {
    const key = keys[place] ?? "";
    if (!KEY.test(key)) faults[`strategies[${place}].key`] = [BAD_KEY];
    else if (keys.indexOf(key) < place)
      faults[`strategies[${place}].key`] = ["Another one already has this name."];
    const strategy = strategies.find(({ name }) => name === row.name);
    for (const [field, said] of Object.entries(optionFaults(strategy, row.options)))
      faults[`strategies[${place}].${field}`] = said;
  });
  return faults;
}

function reportFaults(spec: Spec): Record<string, string[]> {
  const faults: Record<string, string[]> = {};
  partsOf(spec).forEach(({ key, field }, place) => {
    if (!KEY.test(key.trim())) faults[`parts[${place}].key`] = [BAD_KEY];
    if (field.trim() === "") faults[`parts[${place}].field`] = ["Name a field of the test file's lines."];
  });
  if (phrasesOf(spec).length > 0)
    for (const [field, label] of [
      ["label", spec.phraseLabel],
      ["otherwise", spec.otherLabel],
    ] as const)
      if (label.trim() === "") faults[`string_test.${field}`] = ["Name a label of the texts."];
  return faults;
}

export function simulationBody(
  spec: Spec,
  strategies: readonly Strategy[],
  choices: Choices,
): SimulationBody {
  const keys = shownKeys(spec.cases);
  return {
    name: spec.name.trim(),
    source:
      spec.kind === "upload"
        ? { kind: "upload", missing: spec.missing }
        : {
            kind: "stage",
            stage: spec.stage,
            share: Number(spec.share) / 100,
            random_state: Number(spec.randomState),
          },
    strategies: spec.cases.map((row, place) => {
      const strategy = strategies.find(({ name }) => name === row.name);
      const options = strategy ? optionValues(strategy, row.options) : {};
      return { key: keys[place] ?? row.name, name: row.name, options };
    }),
    models: spec.models,
    seeds: numbers(spec.seeds) ?? [],
    batch_sizes: numbers(shownBatchSizes(spec, choices)) ?? [],
    batches: Number(shownBatches(spec)),
    full_supervision: spec.fullSupervision,
    baseline: baselineShown(spec),
    positive_labels:
      spec.kind === "upload"
        ? spec.positive
            .split(",")
            .map((l) => l.trim())
            .filter(Boolean)
        : [],
    ...reportBody(spec),
  };
}

function reportBody(spec: Spec) {
  const phrases = phrasesOf(spec);
  return {
    parts: partsOf(spec).map(({ key, field, value }) => ({
      key: key.trim(),
      field: field.trim(),
      value: partValue(value),
    })),
    string_test:
      phrases.length > 0
        ? { phrases, label: spec.phraseLabel.trim(), otherwise: spec.otherLabel.trim() }
        : null,
    primary: primaryShown(spec),
    primary_part: primaryPartShown(spec),
    first_batch_in_area: spec.areas === "all",
  };
}

export function textsOf(spec: Spec): Texts | null {
  return spec.kind === "upload" && spec.train && spec.test ? { train: spec.train, test: spec.test } : null;
}

/** Lines that hold something; null where a line is no row. */
export async function linesIn(file: File): Promise<number | null> {
  if (!/\.(jsonl|ndjson)$/i.test(file.name)) return null;
  const text = await file.text();
  return text.split("\n").filter((line) => line.trim()).length;
}
