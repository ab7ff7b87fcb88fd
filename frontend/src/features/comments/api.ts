import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api/client";
import type { Answer } from "../../api/contract";
import type { paths } from "../../api/schema";

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

type Query = paths["/api/projects/{project_id}/remarks/"]["get"]["parameters"]["query"];

function chosen(filters: Filters): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
}

/** Of a path's filters those that are set. */
export function addressOf(filters: Filters): string {
  return new URLSearchParams(chosen(filters)).toString();
}

export const remarksQuery = (projectId: string, filters: Filters, page: number) =>
  queryOptions({
    queryKey: [...remarksKey(projectId), addressOf(filters), page],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/remarks/", {
        // They stand in the address: what the server does not know, it refuses.
        params: { path: { project_id: projectId }, query: { ...chosen(filters), page } as Query },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const resolve = (projectId: string, id: string, resolved: boolean) =>
  post("/api/projects/{project_id}/remarks/{remark_id}/", {
    params: { path: { project_id: projectId, remark_id: id } },
    body: { resolved },
  });
