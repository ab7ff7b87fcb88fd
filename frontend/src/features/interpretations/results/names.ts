import { capitalised } from "../../../text/format";
import { shortQuote } from "../../../text/quote";
import type { EvaluationAsked, Figures } from "../figures";

interface Of {
  annotation: string;
  evaluation: string;
}

export function evaluationKey({ annotation, evaluation }: Of): string {
  return `${annotation} ${evaluation}`;
}

/** What an evaluation is called in tables and files alike: "Act modals", "Scope: temporal". */
export function evaluationTitle({ annotation, evaluation }: Of): string {
  const has = evaluation.toLowerCase().includes(annotation.toLowerCase());
  return capitalised(has ? evaluation : `${annotation}: ${evaluation}`);
}

/** The name of the file that has the matrix of one system and evaluation. */
export function confusionStem({ evaluations }: Pick<Figures, "evaluations">, system: string, of: Of): string {
  const number = evaluations.findIndex((each) => evaluationKey(each) === evaluationKey(of));
  const called = evaluationTitle(of)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return `confusion-${system}-${number}-${called}`;
}

export function askedOf({ evaluations }: Pick<Figures, "evaluations">, of: Of): EvaluationAsked | undefined {
  return evaluations.find((each) => evaluationKey(each) === evaluationKey(of));
}

const LONGEST = 40;

/** The class's name; else its number with its first member. Files number classes from 0, and people from 1. */
export function className(asked: EvaluationAsked | undefined, number: number): string {
  const found = asked?.classes[number];
  if (found?.name) return found.name;
  const member = found?.members[0];
  return member ? `${number + 1}. “${shortQuote(member, LONGEST)}”` : `class ${number + 1}`;
}

export function systemTitle({ systems }: Pick<Figures, "systems">, name: string): string {
  return systems.find((each) => each.name === name)?.title ?? name;
}
