import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { codebooksQuery, labelsOf } from "../../api/codebooks";
import type { Names } from "./metrics";

/** The labels of a stage as the newest published codebook that has it names them; empty until it is loaded. */
export function useNames(projectId: string, stage: string): Names {
  const { data: versions } = useQuery(codebooksQuery(projectId));
  return useMemo(() => {
    const newest = (versions ?? [])
      .filter(({ published_at }) => published_at !== null)
      .sort((a, b) => b.version - a.version);
    const found = newest.flatMap(({ definition }) => definition.stages).find(({ key }) => key === stage);
    return new Map(labelsOf(found).map(({ key, name }) => [key, name]));
  }, [versions, stage]);
}
