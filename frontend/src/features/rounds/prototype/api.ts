import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../../api/contract";
import { request } from "../../../api/http";

export type PrototypePage = Answer<"/api/projects/{project_id}/prototype/", "get">;
export type PrototypeBatch = NonNullable<PrototypePage["batch"]>;

export interface PrototypeBody {
  size: number;
  random_state: number;
  annotators: string[];
  annotators_per_item: number;
}

const path = (projectId: string) => `/api/projects/${projectId}/prototype/`;

/** While people answer it their progress is followed. */
export const prototypeQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["prototype", projectId],
    queryFn: ({ signal }) => request<PrototypePage>("GET", path(projectId), { signal }),
    refetchInterval: 10_000,
  });

export function prototypeOpen(projectId: string, body: PrototypeBody): Promise<PrototypePage> {
  return request<PrototypePage>("POST", path(projectId), { body });
}
