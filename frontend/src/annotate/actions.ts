import { labelsOf } from "../api/codebooks";
import type { StageDefinition } from "../api/types";
import { type Action, action } from "../keyboard/registry";
import type { QuestionState } from "./questions/answers";
import { FILTER_KEY, LONG_LIST } from "./questions/filtering";
import { answerId, type OptionKeys, reopenKey } from "./questions/optionKeys";
import { questionType } from "./questionTypes";
import { choicesOf, press } from "./questionTypes/questionType";

export interface Commands {
  answer: (stage: string, label: string) => void;
  reopen: (stage: string) => void;
  fold: () => void;
  submit: () => void;
  back: () => void;
  forward: () => void;
  openContext: () => void;
  closeContext: () => void;
  toggleHelp: () => void;
  codebook: () => void;
  comment: () => void;
  skip: () => void;
  flag: () => void;
  keys: () => void;
}

interface Enabled {
  back: boolean;
  forward: boolean;
  openContext: boolean;
  closeContext: boolean;
}

/** Keys that depend on what is labelled: over a text that is marked the arrows move the caret. */
export interface ScreenKeys {
  back: string;
  forward: string;
  comment: string;
}

/** No label and no command of spans is ever given it. */
export const CODEBOOK_KEY = "shift+h";

/** Beside the key that skips, which no label and no command of spans is given either. */
export const FLAG_KEY = "shift+x";

export const STAGE_KEYS: ScreenKeys = { back: "arrowleft", forward: "arrowright", comment: "m" };
export const SPAN_KEYS: ScreenKeys = { back: ",", forward: ".", comment: "shift+m" };

export function screenActions(commands: Commands, enabled: Enabled, keys: ScreenKeys): Action[] {
  return [
    action("submit", "Submit and go on", "Going on", "enter", true, commands.submit),
    action(
      "back",
      "Back to the one before",
      "Going on",
      keys.back,
      enabled.back,
      commands.back,
      "once one is done",
    ),
    action(
      "forward",
      "Forward",
      "Going on",
      keys.forward,
      enabled.forward,
      commands.forward,
      "after going back",
    ),
    action("skip", "Skip, with a reason", "Going on", "x", true, commands.skip),
    action("flag", "Flag for the admins, with a question", "Help", FLAG_KEY, true, commands.flag),
    ...contextActions(commands, enabled),
    action("help", "Show or hide the codebook's help", "Help", "h", true, commands.toggleHelp),
    action(
      "codebook",
      "Read the whole codebook, with its guidelines",
      "Help",
      CODEBOOK_KEY,
      true,
      commands.codebook,
    ),
    action("comment", "Write a comment on the whole", "Help", keys.comment, true, commands.comment),
    action("keys", "This list of keys", "Help", "?", true, commands.keys),
  ];
}

type ContextCommands = Pick<Commands, "openContext" | "closeContext">;

/** The same keys wherever an item is read. */
export function contextActions(
  commands: ContextCommands,
  enabled: Record<keyof ContextCommands, boolean>,
): Action[] {
  return [
    action(
      "context",
      "Open more context",
      "Reading",
      "c",
      enabled.openContext,
      commands.openContext,
      "where there is more",
    ),
    action(
      "context-close",
      "Close the widest context",
      "Reading",
      "shift+c",
      enabled.closeContext,
      commands.closeContext,
      "while some is open",
    ),
  ];
}

/** Only where questions are asked. */
export function foldAction(isEnabled: boolean, run: () => void): Action {
  const label = "Leave the opened answer as it is";
  return action("fold", label, "Earlier answers", "escape", isEnabled, run, "while one is open again");
}

/** A key for each label of the questions that are open, and for each box. */
export function labelActions(
  { current, live }: QuestionState,
  keys: OptionKeys,
  answer: Commands["answer"],
): Action[] {
  const labels = live.flatMap((stage) =>
    choicesOf(stage).map((label, place) =>
      action(
        answerId(stage.key, label.key),
        label.name,
        stage.title,
        keys.get(stage.key)?.[place] ?? null,
        true,
        () => (questionType(stage).isConfirmed ? press(stage, label.key) : answer(stage.key, label.key)),
      ),
    ),
  );
  const isLong = () => current !== null && labelsOf(current).length > LONG_LIST;
  if (!live.some((stage) => labelsOf(stage).length > LONG_LIST)) return labels;
  const filter = action(
    "filter",
    "Filter the answers",
    "Long questions",
    FILTER_KEY,
    isLong,
    () => document.querySelector<HTMLElement>("[data-answer-filter='now']")?.focus(),
    "while a long question is at hand",
  );
  return [...labels, filter];
}

/** A digit for each open stage that is answered. */
export function reopenActions(
  open: readonly StageDefinition[],
  isAnswered: (stage: string) => boolean,
  keys: OptionKeys,
  others: ReadonlySet<string>,
  reopen: Commands["reopen"],
): Action[] {
  return open.map((stage, place) =>
    action(
      `reopen-${stage.key}`,
      `Open again: ${stage.title}`,
      "Earlier answers",
      reopenKey(place, keys, others),
      () => isAnswered(stage.key),
      () => reopen(stage.key),
      "once it is answered",
    ),
  );
}
