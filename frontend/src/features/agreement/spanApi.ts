import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../api/contract";
import { request } from "../../api/http";

export type SpanAgreementPage = Answer<"/api/projects/{project_id}/span-agreement/", "get">;
export type SpanAgreementRow = SpanAgreementPage["rows"][number];
export type SpanStatistic = keyof SpanAgreementRow["figures"];
export type SpanFigure = SpanAgreementRow["figures"][SpanStatistic];

export const spanAgreementQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["span-agreement", projectId],
    queryFn: ({ signal }) =>
      request<SpanAgreementPage>("GET", `/api/projects/${projectId}/span-agreement/`, { signal }),
    staleTime: 10_000,
    // Who comes back to the page has often answered or decided something in between.
    refetchOnMount: "always",
  });
