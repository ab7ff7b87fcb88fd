import { labelsOf } from "../../api/codebooks";
import type { CodebookDefinition, Condition, StageDefinition } from "../../api/types";

/** When a stage opens: "Opens when Opinion is “Yes” and Monetary policy is “Yes”." */
export function opensWords(stage: StageDefinition, stages: readonly StageDefinition[]): string {
  return stage.open_when ? `Opens when ${conditionWords(stage.open_when, stages)}.` : "Always open.";
}

function conditionWords(condition: Condition, stages: readonly StageDefinition[]): string {
  if ("all" in condition) return joined(condition.all, " and ", stages);
  if ("any" in condition) return joined(condition.any, " or ", stages);
  const stage = stages.find(({ key }) => key === condition.stage);
  const title = stage?.title ?? condition.stage;
  if ("answered" in condition) return `${title} is answered`;
  const names = condition.in.map((key) => `“${labelsOf(stage).find((l) => l.key === key)?.name ?? key}”`);
  return `${title} is ${names.join(" or ")}`;
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
