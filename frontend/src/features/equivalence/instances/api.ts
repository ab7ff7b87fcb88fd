import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, ofProject } from "../../../api/client";

export interface Rules {
  data: string;
  seed: string;
  source: "paper" | "code";
  prefix: "sentence" | "target";
  replace_positive: boolean;
  /** Id of one evaluation; empty: all. */
  evaluation: string;
}

export const BEGUN: Rules = {
  ...{ data: "current", seed: "0", source: "paper", prefix: "sentence" },
  ...{ replace_positive: false, evaluation: "" },
};

/** As the address of a download has them. */
export function queryOf({ replace_positive, evaluation, ...rules }: Rules): Record<string, string> {
  return { ...rules, replace_positive: String(replace_positive), ...(evaluation && { evaluation }) };
}

export const instancesQuery = (projectId: string, rules: Rules, page: number) =>
  queryOptions({
    queryKey: ["equivalence", projectId, "instances", rules, page],
    queryFn: ({ signal }) => {
      const { evaluation, seed, ...others } = rules;
      return get("/api/projects/{project_id}/equivalence/instances/", {
        params: {
          path: { project_id: projectId },
          query: { ...others, page, seed: Number(seed), ...(evaluation && { evaluation }) },
        },
        signal,
      });
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });

/** What instances can be made of, beside the annotations as they are now. */
export const releasesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["releases", projectId],
    queryFn: ({ signal }) => get("/api/projects/{project_id}/releases/", { ...ofProject(projectId), signal }),
  });
