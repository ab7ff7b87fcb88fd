import { queryOptions } from "@tanstack/react-query";
import { request } from "./http";
import type { Role, Workers } from "./types";

export type RoundState =
  | "draft"
  | "training"
  | "scoring"
  | "selecting"
  | "annotating"
  | "complete"
  | "failed"
  | "cancelled";

export interface Step {
  name: string;
  state: "waiting" | "running" | "done";
  seconds: number | null;
}

export interface RoundAnnotator {
  id: string;
  display_name: string;
  done: number;
  total: number;
}

export interface RoundBatch {
  id: string;
  /** Ended by an admin with what was there. */
  closed_at: string | null;
  number: number;
  size: number;
  done: number;
  total: number;
  complete: boolean;
}

export interface Round {
  id: string;
  number: number;
  state: RoundState;
  failed_step: string;
  failure: string;
  strategy_asked: string;
  strategy_used: string;
  options: Record<string, OptionValue>;
  query_size: number;
  random_state: number;
  model: string;
  learning_stages: string[];
  combine: Combine;
  random_share: number;
  no_duplicate_texts: boolean;
  learning_rate: number | null;
  label_phase: 1 | 2;
  use_adjudicated: boolean;
  annotators_per_item: number;
  annotators: RoundAnnotator[];
  attempt: number;
  n_training: number;
  progress: { step: string; fraction: number; detail: string; seconds: number; steps: Step[] };
  notices: string[];
  metrics: Record<string, unknown>;
  timings: Record<string, unknown>;
  started_at: string;
  finished_at: string | null;
  batch: RoundBatch | null;
}

/** How the scores of several stages become one. */
export type Combine = "sum" | "max";

export type OptionValue = string | number | boolean;

export interface StrategyOption {
  name: string;
  type: "int" | "float" | "bool" | "choice";
  default: OptionValue;
  help: string;
  minimum: number | null;
  maximum: number | null;
  choices: string[];
}

export interface Strategy {
  name: string;
  title: string;
  summary: string;
  needs_model: boolean;
  options: StrategyOption[];
  /** What a value of the option `preset` makes the defaults of others. */
  presets: Record<string, Record<string, OptionValue>>;
}

export interface OfferedModel {
  name: string;
  title: string;
  available: boolean;
  note: string;
  /** What it is fine-tuned with unless a round gives another; null for a model without one. */
  learning_rate: number | null;
  rate_reason: string;
}

/** What speaks against letting a model choose now, at one stage. */
export interface StageReadiness {
  stage: string;
  /** Usable labels by class. */
  classes: Record<string, number>;
  alpha: number | null;
  warnings: string[];
}

export interface RoundsPage {
  rounds: Round[];
  workers: Workers;
  strategies: Strategy[];
  models: OfferedModel[];
  annotators: { id: string; display_name: string; role: Role }[];
  next: {
    number: number;
    may_start: boolean;
    reasons: string[];
    suggested_strategy: string;
    /** Items with a decision that stands. */
    n_adjudicated: number;
    /** Batches that had a second look. */
    second_looks: number;
  };
}

export interface RoundBody {
  strategy: string;
  options: Record<string, OptionValue>;
  query_size: number;
  random_state: number;
  model: string;
  learning_stages: string[];
  combine?: Combine;
  random_share: number;
  no_duplicate_texts: boolean;
  learning_rate?: number;
  label_phase: 1 | 2;
  use_adjudicated: boolean;
  annotators: string[];
  annotators_per_item: number;
  allowed_alternative?: string;
}

export const roundsApi = {
  list: (projectId: string, signal?: AbortSignal) =>
    request<RoundsPage>("GET", `/api/projects/${projectId}/rounds/`, { signal }),
  start: (projectId: string, body: RoundBody) =>
    request<Round>("POST", `/api/projects/${projectId}/rounds/`, { body }),
  readiness: (projectId: string, signal?: AbortSignal) =>
    request<StageReadiness[]>("GET", `/api/projects/${projectId}/rounds/readiness/`, { signal }),
  restart: (id: string) => request<Round>("POST", `/api/rounds/${id}/restart/`),
  cancel: (id: string) => request<Round>("POST", `/api/rounds/${id}/cancel/`),
};

export function recordPath(round: Pick<Round, "id">): string {
  return `/api/rounds/${round.id}/record/`;
}

const MACHINE: readonly RoundState[] = ["draft", "training", "scoring", "selecting"];

/** A worker has it in hand, or will. */
export function isMachine(round: Pick<Round, "state">): boolean {
  return MACHINE.includes(round.state);
}

/** At work, open or failed: it holds the project's place for a round. */
export function isUnfinished(round: Pick<Round, "state">): boolean {
  return isMachine(round) || round.state === "annotating" || round.state === "failed";
}

/** Each second while a machine works, else each 5 s; a hidden tab asks nothing (the client's default). */
export const roundsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["rounds", projectId],
    queryFn: ({ signal }) => roundsApi.list(projectId, signal),
    refetchInterval: (query) => (query.state.data?.rounds.some(isMachine) ? 1_000 : 5_000),
  });

/** Asked once the form is there: labels and agreement change slowly beside it. */
export const readinessQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["rounds", projectId, "readiness"],
    queryFn: ({ signal }) => roundsApi.readiness(projectId, signal),
    staleTime: 30_000,
  });
