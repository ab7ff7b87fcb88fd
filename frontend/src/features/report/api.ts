import { queryOptions } from "@tanstack/react-query";
import { createContext } from "react";
import { get } from "../../api/client";
import type { Answer } from "../../api/contract";

export type Report = Answer<"/api/projects/{project_id}/report/", "get">;
export type ReportSection = Report["sections"][number];
export type ReportTable = ReportSection["tables"][number];
export type ReportFigure = ReportSection["figures"][number];
export type ReportExample = Report["candidates"][number];

/** `examples`: ids of items, in the order in which they are shown. `annotators`: numbers of those whose pairs are shown. */
export interface ReportOptions {
  examples: readonly string[];
  annotators: readonly number[];
  /** Name beside each table the one of the OP-FED paper that it follows. */
  paper: boolean;
}

/** Whether tables name those of the paper. */
export const PaperContext = createContext(false);

export function optionsOf(address: URLSearchParams): ReportOptions {
  const numbers = address.getAll("annotator").map(Number).filter(Number.isInteger);
  return { examples: address.getAll("example"), annotators: numbers, paper: address.has("paper") };
}

export function addressOf({ examples, annotators, paper }: ReportOptions): [string, string][] {
  return [
    ...examples.map((id): [string, string] => ["example", id]),
    ...annotators.map((number): [string, string] => ["annotator", String(number)]),
    ...(paper ? [["paper", "1"] satisfies [string, string]] : []),
  ];
}

export function reportPath(projectId: string, asked: ReportOptions, asFile = false): string {
  // The page has the names anyway: only the file is told of them.
  const query = new URLSearchParams(addressOf({ ...asked, paper: asked.paper && asFile }));
  if (asFile) query.set("file", "1");
  return `/api/projects/${projectId}/report/${query.size > 0 ? `?${query}` : ""}`;
}

export const FIGURE_FORMATS = ["svg", "png", "pdf"] as const;

/** Where a figure for paper is. */
export const figurePath = (projectId: string, key: string, format: (typeof FIGURE_FORMATS)[number]) =>
  `/api/projects/${projectId}/report/figures/${encodeURIComponent(`${key}.${format}`)}/`;

export const reportQuery = (projectId: string, asked: ReportOptions) =>
  queryOptions({
    queryKey: ["report", projectId, asked.examples, asked.annotators],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/report/", {
        params: {
          path: { project_id: projectId },
          query: { example: [...asked.examples], annotator: [...asked.annotators] },
        },
        signal,
      }),
    staleTime: 30_000,
  });
