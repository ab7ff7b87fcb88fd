/** What is looked at: kept in the address, so that a reload and a link show it again. */
import type { Phase, Scope } from "../../api/agreement";

export type Pair = readonly [number, number];

export interface Choice {
  view: "table" | "detail";
  scope: Scope;
  phase: Phase;
  /** null: every stage; in detail the first. */
  stage: string | null;
  /** null: all rounds. */
  round: number | null;
  /** Of the table: everyone together, or pairs. */
  whose: "all" | "pairs";
  /** Of the pairs in the table only those with this annotator. */
  person: number | null;
  /** Whose confusions are shown; null: those of the pair that differs most. */
  pair: Pair | null;
  /** Whose agreement is shown batch by batch; null: everyone's. */
  by: Pair | null;
  /** Its key; one that nobody declares stands for the usual one. */
  statistic: string;
}

export const STANDARD: Choice = {
  view: "table",
  scope: "all",
  phase: 1,
  stage: null,
  round: null,
  whose: "all",
  person: null,
  pair: null,
  by: null,
  statistic: "alpha_nominal",
};

export function choiceFrom(asked: URLSearchParams): Choice {
  return {
    view: asked.get("view") === "detail" ? "detail" : "table",
    scope: asked.get("scope") === "majority" ? "majority" : "all",
    phase: asked.get("phase") === "2" ? 2 : 1,
    stage: asked.get("stage") || null,
    round: positive(asked.get("round")),
    whose: asked.get("whose") === "pairs" ? "pairs" : "all",
    person: positive(asked.get("person")),
    pair: pairFrom(asked.get("pair")),
    by: pairFrom(asked.get("by")),
    statistic: asked.get("figure") || STANDARD.statistic,
  };
}

/** What is not the usual. */
export function asQuery(choice: Choice): Record<string, string> {
  const { view, scope, phase, stage, round, whose, person, pair, by, statistic } = choice;
  return {
    ...(view === "detail" && { view }),
    ...(scope === "majority" && { scope }),
    ...(phase === 2 && { phase: "2" }),
    ...(stage !== null && { stage }),
    ...(round !== null && { round: String(round) }),
    ...(whose === "pairs" && { whose }),
    ...(person !== null && { person: String(person) }),
    ...(pair !== null && { pair: pairKey(pair) }),
    ...(by !== null && { by: pairKey(by) }),
    ...(statistic !== STANDARD.statistic && { figure: statistic }),
  };
}

/** "2,3". */
export function pairKey([first, second]: Pair): string {
  return `${first},${second}`;
}

export function pairFrom(text: string | null): Pair | null {
  const [first, second, ...more] = (text ?? "").split(",").map(positive);
  return first && second && first < second && more.length === 0 ? [first, second] : null;
}

function positive(text: string | null): number | null {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : null;
}
