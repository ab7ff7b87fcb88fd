import type { Answers, Condition, StageDefinition } from "../../api/types";
import { questionType } from "../questionTypes";

/**
 * Open stages in order, each with its answer, or null where it has no valid one. The server's rule, mirrored: a stage
 * is open when its condition holds for the answers to open stages; the answer to a closed stage never counts.
 */
function walk(stages: readonly StageDefinition[], answers: Answers): Map<string, string | null> {
  const walked = new Map<string, string | null>();
  for (const stage of stages) {
    // Conditions look back only, so that one pass in order settles every stage.
    if (!stage.open_when || holds(stages, stage.open_when, walked)) {
      const answer = Object.hasOwn(answers, stage.key) ? answers[stage.key] : undefined;
      const counts = answer !== undefined && questionType(stage).accepts(stage, answer);
      walked.set(stage.key, counts ? answer : null);
    }
  }
  return walked;
}

function holds(
  stages: readonly StageDefinition[],
  condition: Condition,
  walked: ReadonlyMap<string, string | null>,
): boolean {
  if ("all" in condition) return condition.all.every((part) => holds(stages, part, walked));
  if ("any" in condition) return condition.any.some((part) => holds(stages, part, walked));
  const answer = walked.get(condition.stage) ?? null;
  if (!("in" in condition) || answer === null) return answer !== null;
  const stage = stages.find(({ key }) => key === condition.stage);
  const labels = (stage && questionType(stage).labelsIn?.(answer)) ?? [answer];
  return labels.some((label) => condition.in.includes(label));
}

export function openStages(stages: readonly StageDefinition[], answers: Answers): StageDefinition[] {
  const walked = walk(stages, answers);
  return stages.filter((stage) => walked.has(stage.key));
}

/** The answers that count: valid ones to open stages, in the codebook's order. */
export function openAnswers(stages: readonly StageDefinition[], answers: Answers): Answers {
  const counted = [...walk(stages, answers)].filter((pair): pair is [string, string] => pair[1] !== null);
  return Object.fromEntries(counted);
}

/** Open required stages without an answer: while there is one, the item cannot be submitted. */
export function missingStages(stages: readonly StageDefinition[], answers: Answers): StageDefinition[] {
  const walked = walk(stages, answers);
  return stages.filter((stage) => stage.required !== false && walked.get(stage.key) === null);
}
