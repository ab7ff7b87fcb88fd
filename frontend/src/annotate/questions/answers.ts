import type { Answers, StageDefinition } from "../../api/types";
import { questionType } from "../questionTypes";
import { openAnswers, openStages } from "./gates";

/** What the last answer did to the other stages, by stage key. */
export interface Change {
  opened: string[];
  cleared: string[];
  restored: string[];
}

export interface AnswerState {
  /** The last label chosen for every stage, also for those that no longer apply: changing back brings them back. */
  given: Answers;
  /** An answered stage that the person opened again. */
  reopened: string | null;
  change: Change | null;
}

export type AnswerAction =
  | { kind: "answer"; stage: string; label: string }
  | { kind: "reopen"; stage: string }
  | { kind: "fold" };

export function answersFrom(given: Answers): AnswerState {
  return { given, reopened: null, change: null };
}

export function answerReducer(
  stages: readonly StageDefinition[],
  state: AnswerState,
  action: AnswerAction,
): AnswerState {
  switch (action.kind) {
    case "answer":
      return answer(stages, state, action.stage, action.label);
    case "reopen":
      return {
        ...state,
        reopened: isOpen(stages, state.given, action.stage) ? action.stage : state.reopened,
      };
    case "fold":
      return { ...state, reopened: null };
  }
}

function answer(
  stages: readonly StageDefinition[],
  state: AnswerState,
  key: string,
  label: string,
): AnswerState {
  const stage = stages.find((each) => each.key === key);
  if (!stage || !isOpen(stages, state.given, key)) return state;
  const type = questionType(stage);
  const before = openAnswers(stages, state.given)[key];
  // The answer to an optional stage is taken back by choosing it again, or by emptying its form.
  const isTakenBack = stage.required === false && label === (type.isConfirmed ? "" : before);
  if (!isTakenBack && !type.accepts(stage, label)) return state;
  const given = { ...state.given, [key]: label };
  if (isTakenBack) delete given[key];
  return { given, reopened: null, change: changeBetween(stages, state.given, given, key) };
}

function changeBetween(
  stages: readonly StageDefinition[],
  before: Answers,
  after: Answers,
  answered: string,
): Change | null {
  const countedBefore = openAnswers(stages, before);
  const countedAfter = openAnswers(stages, after);
  const wasOpen = new Set(openStages(stages, before).map((stage) => stage.key));
  const nowOpen = openStages(stages, after).map((stage) => stage.key);
  const change = {
    opened: nowOpen.filter((key) => !wasOpen.has(key) && !(key in countedAfter)),
    cleared: Object.keys(countedBefore).filter((key) => key !== answered && !(key in countedAfter)),
    restored: Object.keys(countedAfter).filter((key) => key !== answered && !(key in countedBefore)),
  };
  return change.opened.length + change.cleared.length + change.restored.length > 0 ? change : null;
}

function isOpen(stages: readonly StageDefinition[], given: Answers, key: string): boolean {
  return openStages(stages, given).some((stage) => stage.key === key);
}

export interface QuestionState {
  /** The reopened question, else the first open one without an answer. */
  current: StageDefinition | null;
  /** Every question whose keys act: the open ones without an answer, and the reopened one. */
  live: StageDefinition[];
}

/** An answered question that is folded takes no key: a second press of the same key cannot change it unseen. */
export function questionState(stages: readonly StageDefinition[], state: AnswerState): QuestionState {
  const counted = openAnswers(stages, state.given);
  const open = openStages(stages, state.given);
  const live = open.filter((stage) => stage.key === state.reopened || !(stage.key in counted));
  const reopened = live.find((stage) => stage.key === state.reopened);
  return { current: reopened ?? live[0] ?? null, live };
}

/** "Cleared: Stance, Context. Brought back: …", for the eye and the ear. */
export function changeWords(stages: readonly StageDefinition[], change: Change): string {
  const titles = (keys: string[]) =>
    keys.map((key) => stages.find((stage) => stage.key === key)?.title ?? key).join(", ");
  const parts = [
    { words: "Cleared", keys: change.cleared },
    { words: "Brought back", keys: change.restored },
    { words: "Opened", keys: change.opened },
  ];
  return parts
    .filter(({ keys }) => keys.length > 0)
    .map(({ words, keys }) => sentence(`${words}: ${titles(keys)}`))
    .join(" ");
}

/** Titles may be questions, which end by themselves. */
function sentence(words: string): string {
  return /[.?!…]["”’]?$/.test(words) ? words : `${words}.`;
}
