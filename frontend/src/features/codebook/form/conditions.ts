import type { Condition } from "../../../api/types";

/** One line of the form: a stage, and the labels of which it must have one; null: any answer. */
export interface Line {
  stage: string;
  labels: string[] | null;
}

/** Lines and groups of lines, of which all must hold or one is enough. */
export interface Group {
  join: "all" | "any";
  parts: (Line | Group)[];
}

export const isGroup = (part: Line | Group): part is Group => "parts" in part;

/** A condition as a group; none is a group without parts. */
export function groupOf(condition: Condition | null | undefined): Group {
  if (!condition) return { join: "all", parts: [] };
  const part = partOf(condition);
  return isGroup(part) ? part : { join: "all", parts: [part] };
}

function partOf(condition: Condition): Line | Group {
  if ("all" in condition) return { join: "all", parts: condition.all.map(partOf) };
  if ("any" in condition) return { join: "any", parts: condition.any.map(partOf) };
  return { stage: condition.stage, labels: "in" in condition ? condition.in : null };
}

/** The group as a condition: a part by itself needs no group, and a group without parts is no condition. */
export function conditionOf(part: Line | Group): Condition | null {
  if (!isGroup(part)) {
    const { stage, labels } = part;
    return labels === null ? { stage, answered: true } : { stage, in: labels };
  }
  const parts = part.parts.map(conditionOf).filter((each) => each !== null);
  if (parts.length < 2) return parts[0] ?? null;
  return part.join === "all" ? { all: parts } : { any: parts };
}
