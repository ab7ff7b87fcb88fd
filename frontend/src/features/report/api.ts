import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../api/contract";
import { request } from "../../api/http";

export type Report = Answer<"/api/projects/{project_id}/report/", "get">;
export type ReportSection = Report["sections"][number];
export type ReportTable = ReportSection["tables"][number];
export type ReportFigure = ReportSection["figures"][number];
export type ReportExample = Report["candidates"][number];

/** `examples`: ids of items, in the order in which they are shown. `annotators`: numbers of those whose pairs are shown. */
export interface Asked {
  examples: readonly string[];
  annotators: readonly number[];
}

export function askedOf(address: URLSearchParams): Asked {
  const numbers = address.getAll("annotator").map(Number).filter(Number.isInteger);
  return { examples: address.getAll("example"), annotators: numbers };
}

export function addressOf({ examples, annotators }: Asked): [string, string][] {
  return [
    ...examples.map((id): [string, string] => ["example", id]),
    ...annotators.map((number): [string, string] => ["annotator", String(number)]),
  ];
}

export function reportPath(projectId: string, asked: Asked, asFile = false): string {
  const query = new URLSearchParams(addressOf(asked));
  if (asFile) query.set("file", "1");
  return `/api/projects/${projectId}/report/${query.size > 0 ? `?${query}` : ""}`;
}

export const reportQuery = (projectId: string, asked: Asked) =>
  queryOptions({
    queryKey: ["report", projectId, asked],
    queryFn: ({ signal }) => request<Report>("GET", reportPath(projectId, asked), { signal }),
    staleTime: 30_000,
  });
