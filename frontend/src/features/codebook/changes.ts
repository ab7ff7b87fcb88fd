import type {
  CodebookDefinition,
  Condition,
  LabelDefinition,
  LabelStage,
  StageDefinition,
} from "../../api/types";
import { type Change, change, texts } from "./change";
import { layerChanges } from "./spanChanges";

/** Every change from `old` to `next`, in the order of `old`, additions last. */
export function changesBetween(old: CodebookDefinition, next: CodebookDefinition): Change[] {
  return [
    ...texts("", old, next, ["name", "guidelines"]),
    ...learning(old, next),
    ...old.stages.flatMap((stage) => {
      const kept = next.stages.find(({ key }) => key === stage.key);
      const path = `stages.${stage.key}`;
      return kept ? stageChanges(path, stage, kept) : [change(path, "stage removed", true)];
    }),
    ...missing(next.stages, old.stages).map((stage) =>
      change(`stages.${stage.key}`, stageAdded(stage), stage.required !== false),
    ),
    ...reordered("stages", old.stages, next.stages, false),
    ...layerChanges(old.span_layer ?? null, next.span_layer ?? null),
  ];
}

function stageAdded(stage: StageDefinition): string {
  return stage.required === false ? "optional stage added" : "required stage added";
}

function learning(old: CodebookDefinition, next: CodebookDefinition): Change[] {
  const [before, after] = [old.learning ?? null, next.learning ?? null];
  if (!before && !after) return [];
  if (!before || !after) return [change("learning", before ? "removed" : "added", false)];
  const found: Change[] = [];
  if (before.stage !== after.stage)
    found.push(change("learning.stage", `changed from ${before.stage} to ${after.stage}`, false));
  if (!sameSet(before.exclude, after.exclude))
    found.push(change("learning.exclude", "labels left out of learning changed", false));
  return found;
}

function stageChanges(path: string, old: StageDefinition, next: StageDefinition): Change[] {
  const found = texts(path, old, next, ["title", "prompt", "help"]);
  if (meaning(old.open_when) !== meaning(next.open_when))
    found.push(change(`${path}.open_when`, "condition changed", true));
  const required = next.required !== false;
  if ((old.required !== false) !== required)
    found.push(change(`${path}.required`, required ? "became required" : "became optional", required));
  if (!("labels" in old && "labels" in next))
    return old.type === next.type
      ? found
      : [...found, change(`${path}.type`, "type of question changed", true)];
  const [scale, newScale] = [old.scale ?? "nominal", next.scale ?? "nominal"];
  if (scale !== newScale) found.push(change(`${path}.scale`, `changed from ${scale} to ${newScale}`, true));
  if (!sameSet(old.positive, next.positive))
    found.push(change(`${path}.positive`, "positive labels changed", false));
  return [...found, ...labelChanges(`${path}.labels`, old, next)];
}

function labelChanges(path: string, old: LabelStage, next: LabelStage): Change[] {
  return [
    ...old.labels.flatMap((label) => {
      const kept = next.labels.find(({ key }) => key === label.key);
      return kept
        ? labelTexts(`${path}.${label.key}`, label, kept)
        : [change(`${path}.${label.key}`, "label removed", true)];
    }),
    ...missing(next.labels, old.labels).map((label) => change(`${path}.${label.key}`, "label added", false)),
    ...reordered(path, old.labels, next.labels, old.scale === "ordinal"),
  ];
}

function labelTexts(path: string, old: LabelDefinition, next: LabelDefinition): Change[] {
  return texts(path, old, next, ["name", "help", "examples", "shortcut"]);
}

interface Keyed {
  key: string;
}

function missing<T extends Keyed>(from: readonly T[], other: readonly Keyed[]): T[] {
  return from.filter(({ key }) => !other.some((kept) => kept.key === key));
}

/** Order of the keys that both have; an addition or removal alone is no change of order. */
function reordered(path: string, old: readonly Keyed[], next: readonly Keyed[], breaking: boolean): Change[] {
  const common = (from: readonly Keyed[], other: readonly Keyed[]) =>
    from
      .map(({ key }) => key)
      .filter((key) => other.some((kept) => kept.key === key))
      .join(" ");
  return common(old, next) === common(next, old) ? [] : [change(path, "order changed", breaking)];
}

function sameSet(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return asSet(a) === asSet(b);
}

function asSet(parts: readonly string[]): string {
  return JSON.stringify([...new Set(parts)].sort());
}

/** A form in which conditions that differ only in the order of their parts are equal. */
function meaning(condition: Condition | null | undefined): string {
  if (!condition) return "";
  if ("all" in condition) return `all ${asSet(condition.all.map(meaning))}`;
  if ("any" in condition) return `any ${asSet(condition.any.map(meaning))}`;
  if ("answered" in condition) return `${condition.stage} answered`;
  return `${condition.stage} in ${asSet(condition.in)}`;
}
