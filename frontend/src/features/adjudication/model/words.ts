import type { Answers, StageDefinition } from "../../../api/types";
import { counted } from "../../../components/words";
import { labelName } from "../../label/model/wording";
import type { Decision, State } from "../api";
import type { Kind } from "./filters";

export const KIND_WORDS: Record<Kind, string> = {
  open: "To decide",
  tie: "Ties",
  no_majority: "No majority",
  any: "Any disagreement",
  decided: "Decided",
  revised: "Decided, answers newer",
};

export const STATE_WORDS: Record<State, string> = {
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
  any: "People agree on everything here, as far as all answers are in.",
  decided: "Nothing is decided here yet.",
  revised: "No answer here is newer than the decision about it.",
};

export function stateTag(state: State): string {
  return state === "tie" || state === "no_majority" ? "tag warn" : "tag";
}

/** "Opinion: Yes. Stance: Neutral." */
export function labelsWords(stages: readonly StageDefinition[], labels: Answers): string {
  return stages
    .filter(({ key }) => key in labels)
    .map((stage) => `${stage.title}: ${labelName(stage, labels[stage.key])}.`)
    .join(" ");
}

export function decisionWords(decision: Decision, stages: readonly StageDefinition[]): string {
  const who = decision.mine ? "You" : "Somebody else";
  if (decision.withdraws) return `${who} took the decision back.`;
  const did = decision.source === "consensus" ? "recorded as agreed" : "decided";
  return `${who} ${did}: ${labelsWords(stages, decision.labels)}`;
}

export const REVISED_SINCE =
  "Answers were changed or given after this decision, which stands as it was made: look again, and decide anew if need be.";

/** "3 of 12": where the item stands; one that left the list by its decision has no place in it. */
export function placeInList(place: number | null, total: number): string {
  if (place === null) return `not in the list any more, which has ${counted(total, "item")}`;
  return `${place} of ${total}`;
}
