import { queryOptions } from "@tanstack/react-query";
import { get, ofProject } from "../../api/client";
import type { Answer } from "../../api/contract";
import { projectQuery } from "../../api/queries";

export type Overview = Answer<"/api/projects/{project_id}/overview/", "get">;
export type OpenBatch = Overview["batches"][number];
export type Person = Overview["people"][number];
export type RoundBrief = Overview["rounds"][number];
export type WorkerStates = Overview["workers"];
export type Job = Overview["jobs"][number];
export type Trend = NonNullable<Overview["trend"]>;
export type TrendBatch = Trend["batches"][number];

/** The one request that the page asks again; a hidden tab asks nothing (the client's default). */
export const overviewQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["overview", projectId],
    queryFn: async ({ signal, client }) => {
      const overview = await get("/api/projects/{project_id}/overview/", { ...ofProject(projectId), signal });
      // The rest of the pages need not ask for what came along.
      client.setQueryData(projectQuery(projectId).queryKey, overview.project);
      return overview;
    },
    refetchInterval: 10_000,
  });
