import { queryOptions } from "@tanstack/react-query";
import { get } from "../../api/client";
import type { Answer } from "../../api/contract";
import type { Of } from "../../api/exports";

export type Dataset = Answer<"/api/projects/{project_id}/span-dataset/", "get">;
export type Moments = Dataset["closed_correctly"];

export const datasetQuery = (projectId: string, of: Of, seed: number) =>
  queryOptions({
    queryKey: ["span-dataset", projectId, of, seed],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/span-dataset/", {
        params: { path: { project_id: projectId }, query: { of, random_state: seed } },
        signal,
      }),
    staleTime: 10_000,
  });
