import {
  type AnswerAction,
  type AnswerState,
  answerReducer,
  answersFrom,
} from "../../../annotate/questions/answers";
import { openAnswers } from "../../../annotate/questions/gates";
import type { Answers, StageDefinition } from "../../../api/types";

/** A decision in the making: majorities and chosen labels together are a path, and `touched` are the stages chosen. */
export interface Deciding {
  path: AnswerState;
  touched: ReadonlySet<string>;
}

export function decidingFrom(majorities: Answers, chosen: Answers): Deciding {
  return { path: answersFrom({ ...majorities, ...chosen }), touched: new Set(Object.keys(chosen)) };
}

export function decidingReducer(
  stages: readonly StageDefinition[],
  state: Deciding,
  action: AnswerAction,
): Deciding {
  const path = answerReducer(stages, state.path, action);
  if (action.kind !== "answer" || path === state.path) return { ...state, path };
  return { path, touched: new Set([...state.touched, action.stage]) };
}

/** The labels that are sent: of the chosen stages those that are open on the path. */
export function decidedLabels(stages: readonly StageDefinition[], { path, touched }: Deciding): Answers {
  const counted = Object.entries(openAnswers(stages, path.given));
  return Object.fromEntries(counted.filter(([stage]) => touched.has(stage)));
}

export function isSame(a: Answers, b: Answers): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => a[key] === b[key]);
}
