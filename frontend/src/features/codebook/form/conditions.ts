import type { Condition } from "../../../api/types";

/** One line of the form: a stage, and the labels of which it must have one; null: any answer. */
export interface Line {
  stage: string;
  labels: string[] | null;
}

export interface Lines {
  join: "all" | "any";
  lines: Line[];
}

/** A condition as lines, or null where it is nested deeper than the form shows. */
export function linesOf(condition: Condition | null | undefined): Lines | null {
  if (!condition) return { join: "all", lines: [] };
  if ("stage" in condition) return { join: "all", lines: [lineOf(condition)] };
  const join = "all" in condition ? "all" : "any";
  const parts = "all" in condition ? condition.all : condition.any;
  const simple = parts.filter((part) => "stage" in part);
  return simple.length === parts.length ? { join, lines: simple.map(lineOf) } : null;
}

function lineOf(condition: Extract<Condition, { stage: string }>): Line {
  return { stage: condition.stage, labels: "in" in condition ? condition.in : null };
}

/** The lines as a condition. A single line needs no group, and no line leaves a stage always open. */
export function conditionOf({ join, lines }: Lines): Condition | null {
  const parts = lines.map(
    ({ stage, labels }): Condition => (labels === null ? { stage, answered: true } : { stage, in: labels }),
  );
  if (parts.length < 2) return parts[0] ?? null;
  return join === "all" ? { all: parts } : { any: parts };
}
