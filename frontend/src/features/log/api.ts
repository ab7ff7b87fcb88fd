import { infiniteQueryOptions } from "@tanstack/react-query";
import { get } from "../../api/client";
import type { Answer } from "../../api/contract";

export type Log = Answer<"/api/projects/{project_id}/events/", "get">;
export type LogLine = Log["lines"][number];

/** `kind`: "main" is all but annotations, "all" these too; `person`: a member, "system", or "" for everyone. */
export interface Filters {
  kind: string;
  person: string;
}

const path = (projectId: string) => `/api/projects/${projectId}/events/`;

function asQuery({ kind, person }: Filters): Record<string, string> {
  return person ? { kind, person } : { kind };
}

/** Asked once a visit and filter: lines do not change, and newer ones may wait until the page is opened again. */
export const logQuery = (projectId: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ["log", projectId, filters],
    queryFn: ({ signal, pageParam }) =>
      get("/api/projects/{project_id}/events/", {
        params: { path: { project_id: projectId }, query: { ...asQuery(filters), before: pageParam } },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.older ?? undefined,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export function logFile(projectId: string, filters: Filters, format: "csv" | "jsonl"): string {
  return `${path(projectId)}export/?${new URLSearchParams({ format, ...asQuery(filters) })}`;
}
