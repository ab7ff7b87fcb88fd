import { type Action, action } from "../../../keyboard/registry";

/** What a person does in the editor, by key or by button. */
export interface Commands {
  move: (by: -1 | 1) => void;
  extend: (by: -1 | 1) => void;
  toggle: () => void;
  selectShown: () => void;
  letGo: () => void;
  put: (number: number) => void;
  putInto: () => void;
  create: () => void;
  split: () => void;
  takeOut: () => void;
  goClass: (by: -1 | 1) => void;
  rename: () => void;
  merge: () => void;
  accept: () => void;
  detail: () => void;
  validate: () => void;
  sendBack: () => void;
  takeBack: () => void;
  undo: () => void;
  redo: () => void;
  find: () => void;
  keys: () => void;
}

export const KEYS = {
  toggle: " ",
  putInto: "p",
  create: "n",
  split: "s",
  takeOut: "backspace",
  rename: "r",
  merge: "m",
  accept: "a",
  detail: "d",
  validate: "v",
  sendBack: "x",
  takeBack: "t",
  undo: "ctrl+z",
  redo: "ctrl+shift+z",
  find: "/",
  keys: "?",
} as const;

/** Classes beyond these are reached by name. */
export const NUMBERED = 9;

export interface Enabled {
  mayEdit: boolean;
  mayReview: boolean;
  n_targets: number;
  n_classes: number;
  isInClass: boolean;
  maySplit: boolean;
  hasClass: boolean;
  hasAlike: boolean;
  isReviewed: boolean;
  mayUndo: boolean;
  mayRedo: boolean;
}

const SELECTED = "with strings selected";
const WITH_CLASS = "with a class at hand";

export function editorActions(commands: Commands, on: Enabled): Action[] {
  const { mayEdit, hasClass } = on;
  const hasTargets = mayEdit && on.n_targets > 0;
  const keys = Array.from({ length: NUMBERED }, (_, place) => place + 1);
  return [
    ...moving(commands),
    ...keys.map((number) =>
      action(
        `put-${number}`,
        "Put what is selected into class 1 to 9",
        "Grouping",
        String(number),
        hasTargets && number <= on.n_classes,
        () => commands.put(number),
        SELECTED,
      ),
    ),
    action(
      "put-into",
      "Put it into a class found by name",
      "Grouping",
      KEYS.putInto,
      hasTargets && on.n_classes > 0,
      commands.putInto,
      SELECTED,
    ),
    action("create", "New class from what is selected", "Grouping", KEYS.create, mayEdit, commands.create),
    action(
      "split",
      "Split the selected members off into a class",
      "Grouping",
      KEYS.split,
      mayEdit && on.maySplit,
      commands.split,
      "with some members of a class selected",
    ),
    ...[KEYS.takeOut, "delete"].map((key) =>
      action(
        `take-out-${key}`,
        "Take it out of its class",
        "Grouping",
        key,
        mayEdit && on.isInClass,
        commands.takeOut,
        "with members selected",
      ),
    ),
    action(
      "accept",
      "Accept the first suggestion",
      "Grouping",
      KEYS.accept,
      mayEdit && on.hasAlike,
      commands.accept,
      "while suggestions are shown",
    ),
    action(
      "rename",
      "Name the class",
      "Classes",
      KEYS.rename,
      mayEdit && hasClass,
      commands.rename,
      WITH_CLASS,
    ),
    action(
      "merge",
      "Merge another class into it",
      "Classes",
      KEYS.merge,
      mayEdit && hasClass && on.n_classes > 1,
      commands.merge,
      WITH_CLASS,
    ),
    held(action("next-class", "Next class", "Classes", "j", on.n_classes > 0, () => commands.goClass(1))),
    held(
      action("previous-class", "Class before", "Classes", "k", on.n_classes > 0, () => commands.goClass(-1)),
    ),
    ...(on.mayReview ? reviewing(commands, on) : []),
    action("undo", "Undo", "Steps", KEYS.undo, mayEdit && on.mayUndo, commands.undo, "after a step"),
    action("redo", "Redo", "Steps", KEYS.redo, mayEdit && on.mayRedo, commands.redo, "after an undo"),
    action("keys", "This list of keys", "Help", KEYS.keys, true, commands.keys),
  ];
}

function moving(commands: Commands): Action[] {
  return [
    held(action("next-string", "Next string", "Strings", "arrowdown", true, () => commands.move(1))),
    held(action("previous-string", "String before", "Strings", "arrowup", true, () => commands.move(-1))),
    held(
      action("extend-down", "Select on to the next", "Strings", "shift+arrowdown", true, () =>
        commands.extend(1),
      ),
    ),
    held(
      action("extend-up", "Select on to the one before", "Strings", "shift+arrowup", true, () =>
        commands.extend(-1),
      ),
    ),
    action("toggle", "Select it, or not any more", "Strings", KEYS.toggle, true, commands.toggle),
    action("select-shown", "Select all that is shown", "Strings", "ctrl+a", true, commands.selectShown),
    action("let-go", "Select nothing", "Strings", "escape", true, commands.letGo),
    action("find", "Search the strings", "Strings", KEYS.find, true, commands.find),
    action("detail", "Its places, or what is alike", "Strings", KEYS.detail, true, commands.detail),
  ];
}

function reviewing(commands: Commands, { hasClass, isReviewed }: Enabled): Action[] {
  return [
    action(
      "validate",
      "Validate the class",
      "Review",
      KEYS.validate,
      hasClass,
      commands.validate,
      WITH_CLASS,
    ),
    action(
      "return",
      "Return it with a note",
      "Review",
      KEYS.sendBack,
      hasClass,
      commands.sendBack,
      WITH_CLASS,
    ),
    action(
      "take-back",
      "Take the review back",
      "Review",
      KEYS.takeBack,
      hasClass && isReviewed,
      commands.takeBack,
      "with a reviewed class at hand",
    ),
  ];
}

function held(each: Action): Action {
  return { ...each, whileHeld: true };
}
