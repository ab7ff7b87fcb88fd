import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, ofProject } from "./client";
import type { Answer } from "./contract";

export type AnnotatorsPage = Answer<"/api/projects/{project_id}/annotators/", "get">;
export type Annotator = AnnotatorsPage["annotators"][number];
export type OwnPace = Answer<"/api/projects/{project_id}/pace/", "get">;

/** `batch`: "rounds", "all", or the id of a batch. */
export const annotatorsQuery = (projectId: string, batch: string) =>
  queryOptions({
    queryKey: ["annotators", projectId, batch],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/annotators/", {
        params: { path: { project_id: projectId }, query: { batch } },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchOnMount: "always",
  });

export const ownPaceQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["pace", projectId],
    queryFn: ({ signal }) => get("/api/projects/{project_id}/pace/", { ...ofProject(projectId), signal }),
    refetchOnMount: "always",
  });
