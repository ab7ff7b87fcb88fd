import { contextActions, labelActions, reopenActions } from "../../annotate/actions";
import type { QuestionState } from "../../annotate/questions/answers";
import type { OptionKeys } from "../../annotate/questions/optionKeys";
import type { StageDefinition } from "../../api/types";
import { type Action, action } from "../../keyboard/registry";

/** Keys that something beside the questions claims: nothing does here. */
const NO_OTHERS: ReadonlySet<string> = new Set();

export interface CaseCommands {
  answer: (stage: string, label: string) => void;
  reopen: (stage: string) => void;
  fold: () => void;
  keepOwn: () => void;
  dropOwn: () => void;
  store: () => void;
  undo: () => void;
  writeReason: () => void;
  previous: () => void;
  next: () => void;
  openContext: () => void;
  closeContext: () => void;
  toggleHelp: () => void;
  keys: () => void;
}

interface Enabled {
  fold: boolean;
  undo: boolean;
  previous: boolean;
  next: boolean;
  openContext: boolean;
  closeContext: boolean;
}

/** Letters that no label of a question gets: they act on the whole page, as on the labelling screen. */
export const KEYS = {
  store: "enter",
  reason: "m",
  undo: "x",
  previous: "arrowleft",
  next: "arrowright",
  help: "h",
  keys: "?",
} as const;

export function pageActions(commands: CaseCommands, enabled: Enabled): Action[] {
  return [
    action("store", "Store the decision and go on", "Deciding", KEYS.store, true, commands.store),
    action("reason", "Write the reason", "Deciding", KEYS.reason, true, commands.writeReason),
    action(
      "undo",
      "Take the decision back",
      "Deciding",
      KEYS.undo,
      enabled.undo,
      commands.undo,
      "once one is made",
    ),
    action(
      "fold",
      "Leave the opened question as it is",
      "Deciding",
      "escape",
      enabled.fold,
      commands.fold,
      "while one is open again",
    ),
    action(
      "previous",
      "Previous item",
      "Going on",
      KEYS.previous,
      enabled.previous,
      commands.previous,
      "where there is one",
    ),
    action("next", "Next item", "Going on", KEYS.next, enabled.next, commands.next, "where there is one"),
    ...contextActions(commands, enabled),
    action("help", "Show or hide the codebook's help", "Help", KEYS.help, true, commands.toggleHelp),
    action("keys", "This list of keys", "Help", KEYS.keys, true, commands.keys),
  ];
}

/** A key for each label of the questions at hand, and a digit for each question that has a label. */
export function decidingActions(
  questions: QuestionState,
  keys: OptionKeys,
  open: readonly StageDefinition[],
  labels: Readonly<Record<string, string>>,
  commands: CaseCommands,
): Action[] {
  return [
    ...labelActions(questions, keys, commands.answer),
    ...reopenActions(open, (stage) => stage in labels, keys, NO_OTHERS, commands.reopen),
  ];
}
