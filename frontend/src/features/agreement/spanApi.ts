import { queryOptions } from "@tanstack/react-query";
import { get, ofProject } from "../../api/client";
import type { Answer } from "../../api/contract";

export type SpanAgreementPage = Answer<"/api/projects/{project_id}/span-agreement/", "get">;
export type SpanAgreementRow = SpanAgreementPage["rows"][number];
/** What the server declares of a statistic; its key names the figure in each row. */
export type SpanStatistic = SpanAgreementPage["statistics"][number];
export type SpanFigure = SpanAgreementRow["figures"][SpanStatistic["key"]];

export const spanAgreementQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["span-agreement", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/span-agreement/", { ...ofProject(projectId), signal }),
    staleTime: 10_000,
    // Who comes back to the page has often answered or decided something in between.
    refetchOnMount: "always",
  });
