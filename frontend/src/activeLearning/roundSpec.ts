import type {
  Combine,
  OfferedModel,
  OptionValue,
  RoundBody,
  RoundsPage,
  Strategy,
  StrategyOption,
} from "../api/rounds";
import type { CodebookDefinition, Project } from "../api/types";
import { isWhole } from "../text/whole";
import { type Checks, checksBody, checksFaults } from "./checks";
import { isByAdmin } from "./roundState";
import { type Shares, sharesBody, sharesFaults } from "./shares";

const USUAL_QUERY_SIZE = 150;
const USUAL_PER_ITEM = 3;

/** The start form as it is typed: numbers stay text until they are sent. */
export interface Spec {
  strategy: string;
  options: Record<string, string>;
  querySize: string;
  randomState: string;
  model: string;
  learningStages: string[];
  combine: Combine;
  /** Percent of the batch. */
  randomShare: string;
  noDuplicateTexts: boolean;
  /** Empty: the model's own. */
  learningRate: string;
  /** Labels of the independent answers, or of those after second looks. */
  labelPhase: "1" | "2";
  /** What was decided goes before the majorities. */
  useAdjudicated: boolean;
  annotators: string[];
  /** null: as many as annotate, three at most. */
  perItem: string | null;
  shares: Shares;
  checks: Checks;
  alternative: "" | "random";
}

/** Whether the next batch is the first that is not an admin's choice: it is drawn at random. */
export function isFirstBatch(page: RoundsPage): boolean {
  return !page.rounds.some((round) => round.batch && !isByAdmin(round));
}

type Amounts = Pick<Project, "annotation_budget" | "budget_spent" | "pool_left">;

export function budgetLeft(project: Pick<Project, "annotation_budget" | "budget_spent">): number | null {
  return project.annotation_budget === null
    ? null
    : Math.max(0, project.annotation_budget - project.budget_spent);
}

/** What the last round that opened a batch used, where there is one; else the usual. */
export function defaultSpec(
  page: RoundsPage,
  project: Amounts,
  definition: CodebookDefinition,
  today: Date,
): Spec {
  const last = page.rounds.find((round) => round.batch && !isByAdmin(round));
  const lastModel = page.models.find((model) => model.available && model.name === last?.model);
  return {
    strategy: page.next.suggested_strategy,
    options: {},
    querySize: String(defaultQuerySize(last?.query_size ?? USUAL_QUERY_SIZE, project)),
    randomState: dateNumber(today),
    model: lastModel?.name ?? usualModel(page),
    learningStages: definition.learning ? [definition.learning.stage] : [],
    combine: "sum",
    randomShare: "0",
    noDuplicateTexts: false,
    learningRate: "",
    labelPhase: "1",
    useAdjudicated: false,
    annotators: usualAnnotators(page.annotators),
    perItem: null,
    shares: null,
    checks: null,
    alternative: "",
  };
}

type Annotators = RoundsPage["annotators"];

/** Those who are chosen until somebody chooses otherwise. */
export function usualAnnotators(people: Annotators): string[] {
  return people.filter((person) => person.is_usual).map((person) => person.id);
}

/** Everybody who may annotate, the usual ones first; the others with their role. */
export function annotatorChoices(people: Annotators): { value: string; text: string }[] {
  return people
    .toSorted((a, b) => Number(b.is_usual) - Number(a.is_usual))
    .map(({ id, display_name, role, is_usual }) => ({
      value: id,
      text: is_usual ? display_name : `${display_name} (${role})`,
    }));
}

function defaultQuerySize(wanted: number, project: Amounts): number {
  const limits = [wanted, project.pool_left, budgetLeft(project)].filter((limit) => limit !== null);
  return Math.max(1, Math.min(...limits));
}

/** The first on the operator's list that this server has; else the first. */
function usualModel(page: RoundsPage): string {
  return (page.models.find((model) => model.available) ?? page.models[0])?.name ?? "";
}

/** 27 November 2025 -> "20251127". */
export function dateNumber(day: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${day.getFullYear()}${two(day.getMonth() + 1)}${two(day.getDate())}`;
}

export function perItemShown(spec: Spec): string {
  return spec.perItem ?? String(Math.min(USUAL_PER_ITEM, spec.annotators.length));
}

/** Every fault that needs no server to be seen, by the server's own field names. */
export function specFaults(
  spec: Spec,
  strategy: Strategy | undefined,
  { learning }: Pick<CodebookDefinition, "learning">,
): Record<string, string[]> {
  const faults: Record<string, string[]> = {};
  const whole = (field: string, typed: string, least: number) => {
    if (!isWhole(typed) || Number(typed) < least)
      faults[field] = [`Write a whole number of ${least} or more.`];
  };
  whole("query_size", spec.querySize, 1);
  whole("random_state", spec.randomState, 0);
  whole("annotators_per_item", perItemShown(spec), 1);
  if (!isWhole(spec.randomShare) || Number(spec.randomShare) > 100)
    faults.random_share = ["Write a whole number from 0 to 100."];
  if (typedRate(spec, strategy) && !(Number(spec.learningRate) > 0 && Number(spec.learningRate) <= 0.1))
    faults.learning_rate = ["Write a number above 0, at most 0.1, or leave it empty."];
  if (spec.annotators.length === 0) faults.annotators = ["Choose at least one person."];
  if (spec.learningStages.length === 0 && (learning || strategy?.needs_model))
    faults.learning_stages = ["Choose at least one stage."];
  return {
    ...faults,
    ...sharesFaults(spec.shares, spec.annotators, Number(perItemShown(spec))),
    ...checksFaults(spec.checks),
    ...optionFaults(strategy, spec.options),
  };
}

/** What is wrong with options as they are typed, by "options.NAME". */
export function optionFaults(
  strategy: Pick<Strategy, "options"> | undefined,
  typedOptions: Record<string, string>,
): Record<string, string[]> {
  const faults: Record<string, string[]> = {};
  for (const option of strategy?.options ?? []) {
    const typed = typedOptions[option.name];
    if (typed !== undefined && isNumber(option) && !isTypedNumber(option, typed))
      faults[`options.${option.name}`] = [
        `Write a ${option.type === "int" ? "whole number" : "number"}${rangeWords(option)}.`,
      ];
  }
  return faults;
}

function isNumber(option: StrategyOption): boolean {
  return option.type === "int" || option.type === "float";
}

function isTypedNumber(option: StrategyOption, typed: string): boolean {
  const value = Number(typed);
  if (typed.trim() === "" || !Number.isFinite(value)) return false;
  if (option.type === "int" && !Number.isInteger(value)) return false;
  return (
    (option.minimum === null || value >= option.minimum) &&
    (option.maximum === null || value <= option.maximum)
  );
}

export function rangeWords({ minimum, maximum }: Pick<StrategyOption, "minimum" | "maximum">): string {
  if (minimum !== null && maximum !== null) return ` from ${minimum} to ${maximum}`;
  if (minimum !== null) return ` of ${minimum} or more`;
  return maximum !== null ? ` of ${maximum} or less` : "";
}

/** What is sent. An option left at its default is not sent: a preset may fill it. */
export function roundBody(spec: Spec, strategy: Strategy): RoundBody {
  return {
    strategy: spec.strategy,
    options: optionValues(strategy, spec.options),
    query_size: Number(spec.querySize),
    random_state: Number(spec.randomState),
    model: spec.model,
    learning_stages: spec.learningStages,
    ...(joinsStages(spec, strategy) && { combine: spec.combine }),
    random_share: Number(spec.randomShare) / 100,
    no_duplicate_texts: spec.noDuplicateTexts,
    ...(typedRate(spec, strategy) && { learning_rate: Number(spec.learningRate) }),
    label_phase: spec.labelPhase === "2" ? 2 : 1,
    use_adjudicated: spec.useAdjudicated,
    annotators: spec.annotators,
    annotators_per_item: Number(perItemShown(spec)),
    ...sharesBody(spec.shares, spec.annotators, Number(perItemShown(spec))),
    ...checksBody(spec.checks),
    allowed_alternative: strategy.needs_model ? spec.alternative : "",
  };
}

/** What an empty learning rate means for the chosen model, and where that comes from. */
export function rateHint(model: OfferedModel | undefined): string {
  if (!model) return "";
  if (model.learning_rate === null) return `${model.title} is fitted without a learning rate.`;
  return `Empty: ${scientific(model.learning_rate)} (${model.rate_reason}).`;
}

/** 0.0003 as 3e-4, the way papers write it. */
function scientific(rate: number): string {
  return rate.toExponential().replace("e+", "e");
}

/** Whether a rate in place of the recipe's was typed, and a model learns with it. */
function typedRate(spec: Spec, strategy: Strategy | undefined): boolean {
  return strategy?.needs_model === true && spec.learningRate.trim() !== "";
}

/** Only what was typed, as the server takes it. */
export function optionValues(
  strategy: Pick<Strategy, "options">,
  typed: Record<string, string>,
): Record<string, OptionValue> {
  return Object.fromEntries(
    strategy.options
      .filter((option) => typed[option.name] !== undefined)
      .map((option) => [option.name, optionValue(option, typed[option.name] ?? "")]),
  );
}

/** Several stages' scores become one only where a model learns them. */
export function joinsStages(spec: Spec, strategy: Strategy | undefined): boolean {
  return spec.learningStages.length > 1 && strategy?.needs_model === true;
}

/** The options that the chosen preset gives other defaults. */
export function presetValues(strategy: Strategy, chosen: Spec["options"]): Record<string, OptionValue> {
  const preset = strategy.options.find((option) => option.name === "preset");
  return strategy.presets[chosen.preset ?? String(preset?.default)] ?? {};
}

function optionValue(option: StrategyOption, typed: string): OptionValue {
  if (option.type === "bool") return typed === "true";
  return isNumber(option) ? Number(typed) : typed;
}
