import { queryOptions } from "@tanstack/react-query";
import { get } from "./client";
import type { Answer } from "./contract";

export type Scope = "all" | "majority";

/** 1: the independent answers. 2: those of second looks in their place. */
export type Phase = 1 | 2;

type Page = Answer<"/api/projects/{project_id}/agreement/", "get">;
/** Two annotators' numbers are a list to the schema. */
export type AgreementRow = Omit<Page["rows"][number], "pair"> & { pair: [number, number] | null };
export type AgreementPage = Omit<Page, "rows"> & { rows: AgreementRow[] };
/** What the server declares of a statistic; its key names the value in each row. */
export type Statistic = Page["statistics"][number];

interface Fitting {
  title: string;
  value: number | null;
  /** Why it has no value. */
  reason: string | undefined;
}

/** The coefficient that fits the answers of the row's stage; null for free text, which has none. */
export function fitting(page: AgreementPage, row: AgreementRow): Fitting | null {
  const key = page.stages.find((stage) => stage.key === row.stage)?.coefficient;
  const statistic = page.statistics.find((each) => each.key === key);
  return key && statistic ? { title: statistic.title, value: row[key], reason: row.reason[key] } : null;
}

/** Which rows: with many annotators the pairs are thousands. */
export interface Rows {
  scope: Scope;
  phase: Phase;
  of: "everyone" | "pairs";
  /** Left out: every stage. */
  stage?: string;
  /** 0: all rounds together. Left out: these and each. */
  round?: number;
  /** "2,3": of the pairs this one. */
  pair?: string;
}

export const agreementQuery = (projectId: string, { phase, ...rows }: Rows) => {
  const query = { ...rows, ...(phase === 2 && { phase }) };
  return queryOptions({
    queryKey: ["agreement", projectId, query],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/agreement/", {
        params: { path: { project_id: projectId }, query },
        signal,
      }) as Promise<AgreementPage>,
    staleTime: 10_000,
    // Who comes back to the page has often answered or decided something in between.
    refetchOnMount: "always",
  });
};

export type DetailsPage = Answer<"/api/projects/{project_id}/agreement/details/", "get">;

interface DetailsOptions {
  stage: string;
  /** null: all rounds together. */
  round: number | null;
  scope: Scope;
  phase: Phase;
}

export const detailsQuery = (projectId: string, { stage, round, scope, phase }: DetailsOptions) => {
  const query = { stage, scope, ...(round !== null && { round }), ...(phase === 2 && { phase }) };
  return queryOptions({
    queryKey: ["agreement-details", projectId, query],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/agreement/details/", {
        params: { path: { project_id: projectId }, query },
        signal,
      }),
    staleTime: 10_000,
    refetchOnMount: "always",
  });
};
