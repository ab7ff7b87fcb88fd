import { CheckChoices } from "../../../components/Choices";
import { count, counted } from "../../../text/format";
import { leftOutWords } from "../../../text/leftOut";
import type { Estimate } from "../api";
import { LEAST_GOLD, type PartProps } from "./spec";

export type StageCounts = Estimate["stages"];

/** The stages with the number of gold labels of each, and what is left out of them. */
export function StagesField({
  choices,
  spec,
  errors,
  change,
  counts,
}: PartProps & { counts: StageCounts | undefined }) {
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
          counts?.find((stage) => stage.key === key),
          is_context,
        ),
      }))}
      onValues={(stages) => change({ stages })}
    />
  );
}

function helpOf(stage: StageCounts[number] | undefined, isContext: boolean): string {
  const asked = isContext ? " Asked as yes or no: was more than the sentence needed?" : "";
  if (!stage) return `Counting the gold labels.${asked}`;
  const labels = Object.entries(stage.labels).map(([label, n]) => `${label} ${count(n)}`);
  const counts = labels.length > 0 ? ` (${labels.join(", ")})` : "";
  const few = stage.n < LEAST_GOLD ? " Too few to compare systems: it is not chosen by itself." : "";
  return `${counted(stage.n, "gold label")}${counts}.${few}${leftOutWords(stage.left_out)}${asked}`;
}
