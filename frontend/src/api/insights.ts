import { queryOptions } from "@tanstack/react-query";
import { get } from "./client";
import type { Answer } from "./contract";

export type Insights = Answer<"/api/projects/{project_id}/insights/", "get">;
export type Baseline = NonNullable<Insights["baseline"]>;
/** One batch; what is said of a model is said of the one that chose the batch. */
export type BatchInsight = Insights["batches"][number];
export type Positives = BatchInsight["positives"];
/** Krippendorff's α (nominal) over the items of a batch with two answers or more, with its 95 % interval. */
export type AlphaOf = Omit<BatchInsight["agreement"], "percent_agreement">;
export type ClassifierFigures = NonNullable<BatchInsight["held_out"]>;
export type PoolFigures = NonNullable<BatchInsight["pool"]>;
export type Signal = Insights["signals"][number];

const key = (projectId: string) => ["insights", projectId];

/** `stage` left out: what the newest round learns. */
export const insightsQuery = (projectId: string, stage?: string) =>
  queryOptions({
    queryKey: [...key(projectId), stage ?? ""],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/insights/", {
        params: { path: { project_id: projectId }, query: { stage } },
        signal,
      }),
    staleTime: 10_000,
  });

/** Of every stage. */
export const insightsKey = key;
