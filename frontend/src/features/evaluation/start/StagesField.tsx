import { useQuery } from "@tanstack/react-query";
import { CheckChoices } from "../../../components/Choices";
import { count } from "../../../text/format";
import { type Estimate, estimateQuery } from "../api";
import { leftOutWords } from "../leftOut";
import { ESTIMATED, type PartProps, specBody } from "./spec";

/** The stages with the number of gold labels of each, and what is left out of them. */
export function StagesField({ choices, spec, errors, change, projectId }: PartProps & { projectId: string }) {
  const all = choices.stages.map(({ key }) => key);
  // The same whatever systems are chosen: it is asked once for each kind of gold labels.
  const { gold } = specBody(spec, choices);
  const body = { name: ESTIMATED, gold, stages: all, systems: ["majority"] };
  const { data } = useQuery(estimateQuery(projectId, all.length > 0 ? body : null));
  return (
    <CheckChoices
      legend="Stages"
      errors={errors.stages}
      inColumns
      values={spec.stages}
      choices={choices.stages.map(({ key, title, is_context }) => ({
        value: key,
        text: title,
        help: helpOf(
          data?.stages.find((stage) => stage.key === key),
          is_context,
        ),
      }))}
      onValues={(stages) => change({ stages })}
    />
  );
}

function helpOf(stage: Estimate["stages"][number] | undefined, isContext: boolean): string {
  const asked = isContext ? " Asked as yes or no: was more than the sentence needed?" : "";
  if (!stage) return `Counting the gold labels.${asked}`;
  const labels = Object.entries(stage.labels).map(([label, n]) => `${label} ${count(n)}`);
  const counts = labels.length > 0 ? ` (${labels.join(", ")})` : "";
  return `${count(stage.n)} gold labels${counts}.${leftOutWords(stage.left_out)}${asked}`;
}
