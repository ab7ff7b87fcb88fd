import { queryOptions } from "@tanstack/react-query";
import { request } from "../../api/http";

export type Scope = "all" | "majority";

/** 1: the independent answers. 2: those of second looks in their place. */
export type Phase = 1 | 2;

export type Statistic = "percent_agreement" | "fleiss_kappa" | "alpha_nominal";

export interface AgreementRow {
  stage: string;
  /** null: all rounds. */
  round: number | null;
  /** Two annotators' numbers; null: all annotators. */
  pair: [number, number] | null;
  n_items: number;
  n_units: number;
  percent_agreement: number | null;
  fleiss_kappa: number | null;
  fleiss_items: number;
  alpha_nominal: number | null;
  /** Why a statistic is undefined, by its name. */
  reason: Partial<Record<string, string>>;
}

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
