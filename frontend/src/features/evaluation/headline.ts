import { bounded, count } from "../../text/format";
import type { Evaluation } from "./api";

/** The best system of each stage by accuracy: "Opinion: 0.84, small". */
export function headlineOf(
  { headline, stages }: Pick<Evaluation, "headline" | "stages">,
  systemTitle: (name: string) => string,
): string[] {
  return headline.map(({ stage: key, system, accuracy, n }) => {
    const stage = stages.find((each) => each.key === key);
    const some = n === stage?.n ? "" : ` (n = ${count(n)})`;
    return `${stage?.title ?? key}: ${bounded(accuracy)}, ${systemTitle(system)}${some}`;
  });
}
