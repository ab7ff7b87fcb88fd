import { queryOptions } from "@tanstack/react-query";
import { get, ofProject, post } from "./client";
import type { Answer } from "./contract";

type Page = Answer<"/api/projects/{project_id}/rounds/", "get">;

export type OptionValue = string | number | boolean;
/** What a strategy's options may be is declared with it, and JSON to the schema. */
export type Round = Omit<Page["rounds"][number], "options"> & { options: Record<string, OptionValue> };
type RoundState = Round["state"];
export type RoundAnnotator = Round["annotators"][number];
export type Step = Round["progress"]["steps"][number];
/** How the scores of several stages become one. */
export type Combine = Round["combine"];
export type StrategyOption = Omit<Page["strategies"][number]["options"][number], "default"> & {
  default: OptionValue;
};
export type Strategy = Omit<Page["strategies"][number], "options" | "presets"> & {
  options: StrategyOption[];
  /** What a value of the option `preset` makes the defaults of others. */
  presets: Record<string, Record<string, OptionValue>>;
};
export type RoundsPage = Omit<Page, "rounds" | "strategies"> & { rounds: Round[]; strategies: Strategy[] };
export type OfferedModel = Page["models"][number];

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
  check_items?: { practice: string; percent: number };
  allowed_alternative?: string;
}

export const roundsApi = {
  list: (projectId: string, signal?: AbortSignal) =>
    get("/api/projects/{project_id}/rounds/", { ...ofProject(projectId), signal }) as Promise<RoundsPage>,
  start: (projectId: string, body: RoundBody) =>
    post("/api/projects/{project_id}/rounds/", { ...ofProject(projectId), body }) as Promise<Round>,
  readiness: (projectId: string, signal?: AbortSignal) =>
    get("/api/projects/{project_id}/rounds/readiness/", { ...ofProject(projectId), signal }),
  restart: (id: string) =>
    post("/api/rounds/{round_id}/restart/", { params: { path: { round_id: id } } }) as Promise<Round>,
  cancel: (id: string) =>
    post("/api/rounds/{round_id}/cancel/", { params: { path: { round_id: id } } }) as Promise<Round>,
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
