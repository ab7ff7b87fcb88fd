import { isLearned, needsLearning } from "../../../activeLearning/learned";
import { labelsOf } from "../../../api/codebooks";
import type { CodebookDefinition, Condition, LabelDefinition, StageDefinition } from "../../../api/types";

export type StageType = NonNullable<StageDefinition["type"]>;

export function replaced<T>(list: readonly T[], at: number, value: T): T[] {
  return list.map((each, place) => (place === at ? value : each));
}

export function without<T>(list: readonly T[], at: number): T[] {
  return list.filter((_, place) => place !== at);
}

export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const value = list[from];
  if (value === undefined || to < 0 || to >= list.length) return [...list];
  const rest = without(list, from);
  return [...rest.slice(0, to), value, ...rest.slice(to)];
}

const MOST_OF_A_KEY = 50;

/** A key for a name, such as `strongly_agree` for “Strongly agree”, that none of `taken` is. */
export function keyFor(name: string, taken: readonly string[], otherwise: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "")
    .slice(0, MOST_OF_A_KEY - 3);
  const key = plain || otherwise;
  if (!taken.includes(key)) return key;
  let number = 2;
  while (taken.includes(`${key}_${number}`)) number += 1;
  return `${key}_${number}`;
}

/** The condition with each of its simple ones changed; null takes one out. */
function mapped(
  condition: Condition | null | undefined,
  change: (simple: Condition) => Condition | null,
): Condition | null {
  if (!condition) return null;
  for (const kind of ["all", "any"] as const)
    if (kind in condition) {
      const parts = (condition as Record<typeof kind, Condition[]>)[kind];
      const left = parts.map((part) => mapped(part, change)).filter((part) => part !== null);
      return left.length > 0 ? ({ [kind]: left } as Condition) : null;
    }
  return change(condition);
}

function withConditions(
  definition: CodebookDefinition,
  change: (simple: Condition) => Condition | null,
): CodebookDefinition {
  const stages = definition.stages.map((stage) =>
    stage.open_when ? { ...stage, open_when: mapped(stage.open_when, change) } : stage,
  );
  return { ...definition, stages };
}

/** The stage with another key, which conditions and the learned stage then name. */
export function stageRekeyed(definition: CodebookDefinition, at: number, key: string): CodebookDefinition {
  const old = definition.stages[at];
  if (!old) return definition;
  const renamed = withConditions(definition, (simple) =>
    "stage" in simple && simple.stage === old.key ? { ...simple, stage: key } : simple,
  );
  const { learning } = renamed;
  return {
    ...renamed,
    stages: replaced(renamed.stages, at, { ...(renamed.stages[at] as StageDefinition), key }),
    ...(learning?.stage === old.key && { learning: { ...learning, stage: key } }),
  };
}

/** The definition without a stage, and without the conditions that name it. */
export function stageRemoved(definition: CodebookDefinition, at: number): CodebookDefinition {
  const { key } = definition.stages[at] as StageDefinition;
  const left = withConditions({ ...definition, stages: without(definition.stages, at) }, (simple) =>
    "stage" in simple && simple.stage === key ? null : simple,
  );
  return left.learning?.stage === key ? { ...left, learning: learnedFirst(left.stages) } : left;
}

/** What a model learns where nothing else is said: the first question with one label of several. */
export function learnedFirst(stages: readonly StageDefinition[]): CodebookDefinition["learning"] {
  const first = stages.find(needsLearning);
  return first ? { stage: first.key } : null;
}

/** The stage with other labels. What conditions, positives and the learning say of a changed key follows it. */
export function relabelled(
  definition: CodebookDefinition,
  at: number,
  labels: LabelDefinition[],
  keys: (old: string) => string | null,
): CodebookDefinition {
  const stage = definition.stages[at];
  if (!stage || !("labels" in stage)) return definition;
  const following = (named: readonly string[]) => named.map(keys).filter((key) => key !== null);
  const changed = withConditions(definition, (simple) => {
    if (!("in" in simple) || simple.stage !== stage.key) return simple;
    const left = following(simple.in);
    return left.length > 0 ? { ...simple, in: left } : null;
  });
  const { learning } = changed;
  const now = { ...changed.stages[at], labels } as StageDefinition;
  if ("positive" in now && now.positive) now.positive = following(now.positive);
  return {
    ...changed,
    stages: replaced(changed.stages, at, now),
    ...(learning?.stage === stage.key &&
      learning.exclude && { learning: { ...learning, exclude: following(learning.exclude) } }),
  };
}

/**
 * The definition with a question of another type. The learning goes to a question that can be learned, and conditions
 * on answers that are gone open on any answer. `labels` are those that it had before, if it had some.
 */
export function stageRetyped(
  definition: CodebookDefinition,
  at: number,
  type: StageType,
  before: LabelDefinition[] = [],
): CodebookDefinition {
  const old = definition.stages[at] as StageDefinition;
  const stage = retyped(old, type, before);
  const offered = labelsOf(stage).map(({ key }) => key);
  const changed = withConditions(
    { ...definition, stages: replaced(definition.stages, at, stage) },
    (simple) => {
      if (!("in" in simple) || simple.stage !== stage.key) return simple;
      const left = simple.in.filter((key) => offered.includes(key));
      return left.length > 0 ? { ...simple, in: left } : { stage: stage.key, answered: true };
    },
  );
  const learned = changed.stages.find(({ key }) => key === changed.learning?.stage);
  return learned && isLearned(learned) ? changed : { ...changed, learning: learnedFirst(changed.stages) };
}

/** The stage as one of another type; labels stay where both types have some. */
export function retyped(
  stage: StageDefinition,
  type: StageType,
  before: LabelDefinition[] = [],
): StageDefinition {
  const { key, title, prompt, help, required, open_when } = stage;
  const kept = {
    key,
    title,
    prompt,
    ...(help !== undefined && { help }),
    ...(required !== undefined && { required }),
    ...(open_when !== undefined && { open_when }),
  };
  const own = "labels" in stage ? stage.labels : before;
  const labels = own.length > 0 ? own : labelsOf(stage).map(asLabel);
  switch (type) {
    case "label":
      return { ...kept, labels: labels.length > 0 ? labels : TWO_LABELS };
    case "several":
      return { ...kept, type, labels: labels.length > 0 ? labels : TWO_LABELS };
    case "scale":
      return { ...kept, type, low: 1, high: 5 };
    case "number":
      return { ...kept, type };
    case "text":
      return { ...kept, type };
  }
}

const TWO_LABELS: LabelDefinition[] = [
  { key: "yes", name: "Yes" },
  { key: "no", name: "No" },
];

/** A point of a scale is no key of a label. */
function asLabel({ key, name }: LabelDefinition): LabelDefinition {
  return { key: `point_${key.replace("-", "minus_")}`, name };
}

/** A new question with two labels. */
export function newStage(stages: readonly StageDefinition[]): StageDefinition {
  const taken = stages.map(({ key }) => key);
  return { key: keyFor("question", taken, "question"), title: "", prompt: "", labels: TWO_LABELS };
}
