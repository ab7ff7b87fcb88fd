import { type Checks, checksBody, checksFaults } from "../../../activeLearning/checks";
import { type Shares, sharesBody, sharesFaults } from "../../../activeLearning/shares";
import type { PrototypeBody } from "./api";

/** Gives a base rate of 10 percent to about four points either way. */
export const USUAL_SIZE = 200;
const USUAL_PER_ITEM = 3;

/** The form as it is typed: numbers stay text until they are sent. */
export interface Draft {
  size: string;
  randomState: string;
  annotators: string[];
  /** null: as many as annotate, three at most. */
  perItem: string | null;
  /** A draft that was kept before there were shares has none. */
  shares?: Shares;
  checks?: Checks;
}

export function perItemShown({ perItem, annotators }: Draft): string {
  return perItem ?? String(Math.min(USUAL_PER_ITEM, annotators.length));
}

/** Every fault that needs no server to be seen, by the server's own field names. */
export function draftFaults(draft: Draft): Record<string, string[]> {
  const faults: Record<string, string[]> = {};
  const whole = (field: string, typed: string, least: number) => {
    if (!/^\s*\d+\s*$/.test(typed) || Number(typed) < least)
      faults[field] = [`Write a whole number of ${least} or more.`];
  };
  whole("size", draft.size, 1);
  whole("random_state", draft.randomState, 0);
  if (draft.annotators.length === 0) faults.annotators = ["Choose at least one person."];
  else whole("annotators_per_item", perItemShown(draft), 1);
  return {
    ...faults,
    ...sharesFaults(draft.shares ?? null, draft.annotators, Number(perItemShown(draft))),
    ...checksFaults(draft.checks ?? null),
  };
}

export function draftBody(draft: Draft): PrototypeBody {
  return {
    size: Number(draft.size),
    random_state: Number(draft.randomState),
    annotators: draft.annotators,
    annotators_per_item: Number(perItemShown(draft)),
    ...sharesBody(draft.shares ?? null, draft.annotators, Number(perItemShown(draft))),
    ...checksBody(draft.checks ?? null),
  };
}
