import { useQuery } from "@tanstack/react-query";
import { type Choices, estimateQuery } from "../api";
import { ESTIMATED, goldOf, type KeptSpec } from "./spec";

/** The gold labels of every stage. They are the same whatever systems and stages are chosen. */
export function useStageCounts(projectId: string, choices: Choices, spec: KeptSpec) {
  const stages = choices.stages.map(({ key }) => key);
  const body = { name: ESTIMATED, gold: goldOf(spec), stages, systems: ["majority"] };
  const { data, isLoading } = useQuery(estimateQuery(projectId, stages.length > 0 ? body : null));
  return { counts: data?.stages, isLoading };
}
