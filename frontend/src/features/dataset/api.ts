import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../api/contract";
import type { Of } from "../../api/exports";
import { request } from "../../api/http";

export type Dataset = Answer<"/api/projects/{project_id}/span-dataset/", "get">;
export type Moments = Dataset["closed_correctly"];

export const datasetQuery = (projectId: string, of: Of, seed: number) =>
  queryOptions({
    queryKey: ["span-dataset", projectId, of, seed],
    queryFn: ({ signal }) =>
      request<Dataset>("GET", `/api/projects/${projectId}/span-dataset/`, {
        query: { of, random_state: String(seed) },
        signal,
      }),
    staleTime: 10_000,
  });
