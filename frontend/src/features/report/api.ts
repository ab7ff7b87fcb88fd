import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../api/contract";
import { request } from "../../api/http";

export type Report = Answer<"/api/projects/{project_id}/report/", "get">;
export type ReportSection = Report["sections"][number];
export type ReportTable = ReportSection["tables"][number];
export type ReportFigure = ReportSection["figures"][number];
export type ReportExample = Report["candidates"][number];

/** `examples`: ids of items, in the order in which they are shown. */
export function reportPath(projectId: string, examples: readonly string[], asFile = false): string {
  const query = new URLSearchParams(examples.map((id) => ["example", id]));
  if (asFile) query.set("file", "1");
  return `/api/projects/${projectId}/report/${query.size > 0 ? `?${query}` : ""}`;
}

export const reportQuery = (projectId: string, examples: readonly string[]) =>
  queryOptions({
    queryKey: ["report", projectId, ...examples],
    queryFn: ({ signal }) => request<Report>("GET", reportPath(projectId, examples), { signal }),
    staleTime: 30_000,
  });
