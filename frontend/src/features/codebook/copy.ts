import { labelsOf } from "../../api/codebooks";
import type { CodebookDefinition, Condition, StageDefinition } from "../../api/types";

/** When a stage opens: "Opens when Opinion is “Yes” and Monetary policy is “Yes”." */
export function opensWords(stage: StageDefinition, stages: readonly StageDefinition[]): string {
  return stage.open_when ? `Opens when ${conditionWords(stage.open_when, stages)}.` : "Always open.";
}

/** How a stage is answered, where that is not one label of several: "Answered with 1 to 3 of the labels." */
export function answerWords(stage: StageDefinition): string {
  switch (stage.type) {
    case "several": {
      const { least = 1, labels } = stage;
      return `Answered with ${least} to ${stage.most ?? labels.length} of the labels.`;
    }
    case "scale":
      return "Answered with a point of the scale.";
    case "number": {
      const { min, max, step, unit } = stage;
      const parts = [
        "Answered with a number",
        unit && `in ${unit}`,
        typeof min === "number" && `from ${min}`,
        typeof max === "number" && `to ${max}`,
        typeof step === "number" && `by steps of ${step}`,
      ];
      return `${parts.filter(Boolean).join(" ")}.`;
    }
    case "text":
      return `Answered with a text of one line, of at most ${stage.most_characters ?? 2000} characters.`;
    default:
      return stage.scale === "ordinal" ? "Labels are ordered." : "";
  }
}

function conditionWords(condition: Condition, stages: readonly StageDefinition[]): string {
  if ("all" in condition) return joined(condition.all, " and ", stages);
  if ("any" in condition) return joined(condition.any, " or ", stages);
  const stage = stages.find(({ key }) => key === condition.stage);
  const title = stage?.title ?? condition.stage;
  if ("answered" in condition) return `${title} is answered`;
  const names = condition.in.map((key) => `“${labelsOf(stage).find((l) => l.key === key)?.name ?? key}”`);
  return `${title} ${stage?.type === "several" ? "has" : "is"} ${names.join(" or ")}`;
}

function joined(parts: Condition[], word: string, stages: readonly StageDefinition[]): string {
  return parts
    .map((part) => {
      const words = conditionWords(part, stages);
      const several = ("all" in part && part.all.length > 1) || ("any" in part && part.any.length > 1);
      return several && parts.length > 1 ? `(${words})` : words;
    })
    .join(word);
}

/** What the model learns, and from which labels it does not. */
export function learningWords({ learning, stages }: CodebookDefinition): string {
  if (!learning) return "The model learns nothing here: no stage has labels, and spans are not learned.";
  const stage = stages.find(({ key }) => key === learning.stage);
  const title = stage?.title ?? learning.stage;
  const names = (learning.exclude ?? []).map(
    (key) => `“${labelsOf(stage).find((label) => label.key === key)?.name ?? key}”`,
  );
  const without = names.length > 0 ? `, without the items whose majority is ${names.join(" or ")}` : "";
  return `The model learns ${title}${without}.`;
}
