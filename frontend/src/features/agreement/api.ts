import { queryOptions } from "@tanstack/react-query";
import { request } from "../../api/http";

export type Scope = "all" | "majority";

/** 1: the independent answers. 2: those of second looks in their place. */
export type Phase = 1 | 2;

export const STATISTICS = [
  "percent_agreement",
  "fleiss_kappa",
  "alpha_nominal",
  "alpha_ordinal",
  "cohen_kappa",
  "ac1",
] as const;
export type Statistic = (typeof STATISTICS)[number];

export type AgreementRow = Record<Statistic, number | null> & {
  stage: string;
  /** null: all rounds. */
  round: number | null;
  /** Two annotators' numbers; null: all annotators. */
  pair: [number, number] | null;
  n_items: number;
  n_units: number;
  fleiss_items: number;
  /** [low, high] of 95 percent intervals, of statistics that have one. */
  ci: Partial<Record<string, number[]>>;
  /** Why a statistic is undefined, by its name; why it has no interval, by "ci.<name>". */
  reason: Partial<Record<string, string>>;
};

export interface AgreementPage {
  scope: Scope;
  phase: Phase;
  /** Rounds whose batch has a second look. */
  second_looks: number[];
  rows: AgreementRow[];
  annotators: { number: number; display_name: string }[];
  stages: { key: string; title: string }[];
}

export const agreementQuery = (projectId: string, scope: Scope, phase: Phase = 1) =>
  queryOptions({
    queryKey: ["agreement", projectId, scope, phase],
    queryFn: ({ signal }) =>
      request<AgreementPage>("GET", `/api/projects/${projectId}/agreement/`, {
        query: { scope, ...(phase === 2 && { phase }) },
        signal,
      }),
    staleTime: 10_000,
  });
