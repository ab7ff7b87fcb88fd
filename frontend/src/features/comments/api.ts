import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../api/contract";
import { request } from "../../api/http";

export type RemarksPage = Answer<"/api/projects/{project_id}/remarks/", "get">;
export type Remark = RemarksPage["remarks"][number];

export interface Filters {
  kind: string;
  state: string;
  person: string;
  batch: string;
  q: string;
}

export const remarksKey = (projectId: string) => ["remarks", projectId];

/** Of a path's filters those that are set. */
export function asked(filters: Filters): string {
  return new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== "")).toString();
}

export const remarksQuery = (projectId: string, filters: Filters, page: number) =>
  queryOptions({
    queryKey: [...remarksKey(projectId), asked(filters), page],
    queryFn: ({ signal }) =>
      request<RemarksPage>("GET", `/api/projects/${projectId}/remarks/?${asked(filters)}&page=${page}`, {
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const resolve = (projectId: string, id: string, resolved: boolean) =>
  request<null>("POST", `/api/projects/${projectId}/remarks/${id}/`, { body: { resolved } });
