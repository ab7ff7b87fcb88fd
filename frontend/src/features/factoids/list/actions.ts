import { type Action, action } from "../../../keyboard/registry";

/** What a person does to a list, by key or by button. */
export interface Commands {
  sentence: (by: -1 | 1) => void;
  text: (by: -1 | 1) => void;
  factoid: (by: -1 | 1) => void;
  undecided: () => void;
  create: () => void;
  describe: () => void;
  link: () => void;
  absent: () => void;
  split: () => void;
  merge: () => void;
  renumber: () => void;
  remove: () => void;
  letGo: () => void;
  sideBySide: () => void;
  undo: () => void;
  redo: () => void;
  findFactoid: () => void;
  findText: () => void;
  keys: () => void;
}

export const KEYS = {
  previousSentence: "arrowup",
  nextSentence: "arrowdown",
  previousText: "arrowleft",
  nextText: "arrowright",
  previousFactoid: "k",
  nextFactoid: "j",
  undecided: "u",
  create: "n",
  describe: "d",
  link: "l",
  absent: "x",
  split: "s",
  merge: "m",
  renumber: "i",
  remove: "delete",
  letGo: "escape",
  sideBySide: "g",
  undo: "ctrl+z",
  redo: "ctrl+shift+z",
  findFactoid: "f",
  findText: "/",
  keys: "?",
} as const;

interface Enabled {
  mayEdit: boolean;
  hasActive: boolean;
  mayUndo: boolean;
  mayRedo: boolean;
}

const WITH_FACTOID = "with a factoid at hand";

/** For the own list of a definition. */
export function defineActions(commands: Commands, enabled: Enabled): Action[] {
  const mayChange = enabled.mayEdit && enabled.hasActive;
  const changing = (id: string, label: string, key: string, run: () => void) =>
    action(id, label, "Factoids", key, mayChange, run, WITH_FACTOID);
  return [
    action(
      "create",
      "New factoid from this sentence",
      "Factoids",
      KEYS.create,
      enabled.mayEdit,
      commands.create,
    ),
    changing("link", "Link or unlink this sentence", KEYS.link, commands.link),
    changing("describe", "Write its description", KEYS.describe, commands.describe),
    changing("split", "Split it into two", KEYS.split, commands.split),
    changing("merge", "Merge another one into it", KEYS.merge, commands.merge),
    changing("renumber", "Change its id", KEYS.renumber, commands.renumber),
    changing("remove", "Delete it with its links", KEYS.remove, commands.remove),
    ...movingActions(commands, enabled),
    ...sharedActions(commands, enabled),
  ];
}

/** For a given list, whose factoids stay as they are. */
export function annotateActions(commands: Commands, enabled: Enabled): Action[] {
  const mayChange = enabled.mayEdit && enabled.hasActive;
  const answering = (id: string, label: string, key: string, run: () => void) =>
    action(id, label, "Answering", key, mayChange, run, WITH_FACTOID);
  return [
    answering("link", "It is in this sentence, or not any more", KEYS.link, commands.link),
    answering("absent", "It is not in this text; go to the next", KEYS.absent, commands.absent),
    action("undecided", "Next undecided factoid", "Answering", KEYS.undecided, true, commands.undecided),
    ...movingActions(commands, enabled),
    ...sharedActions(commands, enabled),
  ];
}

function movingActions(commands: Commands, { hasActive }: Enabled): Action[] {
  return [
    ...sentenceActions(commands),
    { ...moving("previous-text", "Previous text", KEYS.previousText, () => commands.text(-1)) },
    { ...moving("next-text", "Next text", KEYS.nextText, () => commands.text(1)) },
    { ...moving("previous-factoid", "Previous factoid", KEYS.previousFactoid, () => commands.factoid(-1)) },
    { ...moving("next-factoid", "Next factoid", KEYS.nextFactoid, () => commands.factoid(1)) },
    action("let-go", "No factoid at hand", "Moving", KEYS.letGo, hasActive, commands.letGo, WITH_FACTOID),
    action("find-factoid", "Search the list", "Moving", KEYS.findFactoid, true, commands.findFactoid),
    action("find-text", "Search the texts", "Moving", KEYS.findText, true, commands.findText),
    action(
      "side-by-side",
      "Its sentences side by side, or not",
      "Moving",
      KEYS.sideBySide,
      hasActive,
      commands.sideBySide,
      WITH_FACTOID,
    ),
  ];
}

export function sentenceActions(commands: Pick<Commands, "sentence">): Action[] {
  return [
    moving("previous-sentence", "Previous sentence", KEYS.previousSentence, () => commands.sentence(-1)),
    moving("next-sentence", "Next sentence", KEYS.nextSentence, () => commands.sentence(1)),
  ];
}

function moving(id: string, label: string, key: string, run: () => void): Action {
  return { ...action(id, label, "Moving", key, true, run), whileHeld: true };
}

type Shared = Pick<Commands, "undo" | "redo" | "keys">;

export function sharedActions(commands: Shared, enabled: Pick<Enabled, "mayUndo" | "mayRedo">): Action[] {
  return [
    action("undo", "Undo", "Steps", KEYS.undo, enabled.mayUndo, commands.undo, "after a step"),
    action("redo", "Redo", "Steps", KEYS.redo, enabled.mayRedo, commands.redo, "after an undo"),
    action("keys", "This list of keys", "Help", KEYS.keys, true, commands.keys),
  ];
}

export const ITEM_KEYS = {
  there: "y",
  notThere: "n",
  link: "l",
  previous: ",",
  next: ".",
  nextOpen: "enter",
  note: "m",
} as const;

export interface ItemCommands extends Pick<Commands, "sentence" | "undo" | "redo" | "keys"> {
  answer: (isThere: boolean) => void;
  choose: () => void;
  go: (by: -1 | 1) => void;
  nextOpen: () => void;
  note: () => void;
}

/** For the items of a second look or a consensus. */
export function itemActions(
  commands: ItemCommands,
  enabled: Omit<Enabled, "hasActive"> & { hasOpen: boolean },
  words: { there: string; notThere: string },
): Action[] {
  const answering = (id: string, label: string, key: string, run: () => void) =>
    action(id, label, "Answering", key, enabled.mayEdit, run, "while the list may be changed");
  return [
    answering("there", words.there, ITEM_KEYS.there, () => commands.answer(true)),
    answering("not-there", words.notThere, ITEM_KEYS.notThere, () => commands.answer(false)),
    answering("choose", "Choose this sentence, or not any more", ITEM_KEYS.link, commands.choose),
    answering("note", "Write a note", ITEM_KEYS.note, commands.note),
    action(
      "next-open",
      "Next open item",
      "Moving",
      ITEM_KEYS.nextOpen,
      enabled.hasOpen,
      commands.nextOpen,
      "while one is open",
    ),
    moving("previous-item", "Previous item", ITEM_KEYS.previous, () => commands.go(-1)),
    moving("next-item", "Next item", ITEM_KEYS.next, () => commands.go(1)),
    ...sentenceActions(commands),
    ...sharedActions(commands, enabled),
  ];
}
