import { answerName } from "../../../annotate/copy";
import type { Answers, StageDefinition } from "../../../api/types";
import { counted } from "../../../text/format";
import type { Decision, ListedItem, State } from "../api";
import type { Kind } from "./filters";

export const KIND_WORDS: Record<Kind, string> = {
  open: "To decide",
  tie: "Ties",
  no_majority: "No majority",
  few: "Too few answers",
  any: "Any disagreement",
  decided: "Decided",
  revised: "Decided, answers newer",
};

const STATE_WORDS: Record<State, string> = {
  majority: "majority",
  adjudicated: "decided",
  tie: "tie",
  no_majority: "no majority",
  not_applicable: "not applicable",
};

export const EMPTY_WORDS: Record<Kind, string> = {
  open: "Nothing is left to decide here.",
  tie: "No ties here.",
  no_majority: "No item here lacks a majority without a tie.",
  few: "No item here has too few answers for a majority.",
  any: "People agree on everything here, as far as all answers are in.",
  decided: "Nothing is decided here yet.",
  revised: "No answer here is newer than the decision about it.",
};

/** People came to an answer there, or it was not asked: nothing is left to look at. */
export function isSettled(state: State): boolean {
  return state === "majority" || state === "not_applicable";
}

/** In one line each, after what is open: "Majority: Opinion, Stance". */
export function settledWords({ stages }: ListedItem, title: (stage: string) => string): string[] {
  const settled = (["majority", "not_applicable"] as const).map((state) => ({
    state,
    titles: stages.filter((each) => each.state === state).map(({ stage }) => title(stage)),
  }));
  return settled
    .filter(({ titles }) => titles.length > 0)
    .map(({ state, titles }) => `${STATE_WORDS[state]}: ${titles.join(", ")}`);
}

/** One answer alone, or none, disagrees with nobody. */
export function stateWords(state: State, differs: boolean): string {
  return state === "no_majority" && !differs ? "too few answers" : STATE_WORDS[state];
}

export function stateTag(state: State): string {
  return state === "tie" || state === "no_majority" ? "tag warn" : "tag";
}

/** "Opinion: Yes. Stance: Neutral." */
export function labelsWords(stages: readonly StageDefinition[], labels: Answers): string {
  return stages
    .filter(({ key }) => key in labels)
    .map((stage) => `${stage.title}: ${answerName(stage, labels[stage.key])}.`)
    .join(" ");
}

export function decisionWords(decision: Decision, stages: readonly StageDefinition[]): string {
  const who = decision.mine ? "You" : "Somebody else";
  if (decision.withdraws) return `${who} took the decision back.`;
  const did = decision.source === "consensus" ? "recorded as agreed" : "decided";
  return `${who} ${did}: ${labelsWords(stages, decision.labels)}`;
}

export const REVISED_SINCE =
  "Answers were changed or given after this decision, which was left as it is. Look again, and decide anew if necessary.";

/** "3 of 12": where the item stands; one that left the list by its decision has no place in it. */
export function placeInList(place: number | null, total: number): string {
  if (place === null) return `not in the list any more, which has ${counted(total, "item")}`;
  return `${place} of ${total}`;
}
