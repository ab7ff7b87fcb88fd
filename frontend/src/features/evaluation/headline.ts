import { bounded } from "../../text/format";
import type { EvaluationDetail } from "./api";

/** The best system of each stage by accuracy: "Opinion: 0.84, small". */
export function headlineOf(
  { figures, stages }: Pick<EvaluationDetail, "figures" | "stages">,
  systemTitle: (name: string) => string,
): string[] {
  return (figures?.stages ?? []).flatMap(({ key, systems }) => {
    const best = systems.toSorted((a, b) => b.accuracy - a.accuracy)[0];
    const title = stages.find((stage) => stage.key === key)?.title ?? key;
    return best ? [`${title}: ${bounded(best.accuracy)}, ${systemTitle(best.name)}`] : [];
  });
}
