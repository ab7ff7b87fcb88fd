import { CODEBOOK_KEY, SPAN_KEYS } from "../../annotate/actions";
import type { SpanOut } from "../../api/types";
import { type Action, action } from "../../keyboard/registry";
import type { AnonymizedAnnotation, ItemPage } from "./api";

/** What a validator does with an item, by key or by button. */
export interface ItemCommands {
  /** Brings its column into view, with the focus on Accept. */
  choose: (annotation: AnonymizedAnnotation) => void;
  accept: (annotation: AnonymizedAnnotation) => void;
  editFrom: (annotation: AnonymizedAnnotation) => void;
  editFromNothing: () => void;
  /** Goes on from the decision that was taken back. */
  editAgain: () => void;
  askReject: () => void;
  reject: () => void;
  /** Closes the dialog; the reason waits. */
  stopRejecting: () => void;
  dropRejection: () => void;
  reopen: () => void;
  store: (spans: SpanOut[]) => void;
  stopEditing: () => void;
  toggleDifferences: () => void;
  go: (itemId: string | null) => void;
  codebook: () => void;
  keys: () => void;
}

/** Annotations beyond these are chosen with the mouse or Tab. */
const WITH_DIGITS = ["A", "B", "C", "D", "E", "F", "G", "H", "I"];

/** A digit puts the focus on the annotation's Accept button, and decides nothing. */
export function chooseKey({ letter }: AnonymizedAnnotation): string | null {
  const place = WITH_DIGITS.indexOf(letter);
  return place === -1 ? null : String(place + 1);
}

/** What the labelling screen has too has the same key there, and no key means something else there that marks or moves. */
export const KEYS = {
  edit: "e",
  nothing: "shift+e",
  again: "t",
  reject: "x",
  reopen: "ctrl+z",
  differences: "f",
  previous: SPAN_KEYS.back,
  next: SPAN_KEYS.forward,
  nextOpen: "enter",
  codebook: CODEBOOK_KEY,
  keys: "?",
} as const;

/** While an edit is made. */
export const TAKE_OVER_KEY = "y";

/** Every key of the page while the annotations are looked at. */
export function readingActions(page: ItemPage, commands: ItemCommands): Action[] {
  const isOpen = page.state === "open";
  const usable = page.annotations.filter(({ skipped }) => !skipped);
  return [
    ...usable.map((each) =>
      settling(
        `choose-${each.letter}`,
        `Go to ${each.letter}; Enter accepts it`,
        chooseKey(each),
        isOpen,
        () => commands.choose(each),
      ),
    ),
    {
      ...settling("edit-chosen", "Edit from the annotation that has the focus", KEYS.edit, isOpen, () => {
        const chosen = focused(usable);
        if (chosen) commands.editFrom(chosen);
      }),
      isEnabled: () => isOpen && focused(usable) !== undefined,
      when: "after its digit, while nothing is decided",
    },
    settling("edit", "Edit from nothing", KEYS.nothing, isOpen, commands.editFromNothing),
    settling(
      "again",
      "Edit the previous decision",
      KEYS.again,
      hasEarlier(page),
      commands.editAgain,
      "once an edit was taken back",
    ),
    settling("reject", "Reject all, with a reason", KEYS.reject, isOpen, commands.askReject),
    settling(
      "reopen",
      "Reopen: take the decision back",
      KEYS.reopen,
      page.decision !== null,
      commands.reopen,
      "once it is decided",
    ),
    ...goingActions(page, commands),
    action(
      "differences",
      "Show only differences, or all",
      "Looking",
      KEYS.differences,
      true,
      commands.toggleDifferences,
    ),
    action(
      "codebook",
      "The whole codebook, with its guidelines",
      "Looking",
      KEYS.codebook,
      true,
      commands.codebook,
    ),
    action("keys", "Keys", "Looking", KEYS.keys, true, commands.keys),
  ];
}

/** Of an annotation's column; by it, too, the page knows which one has the focus. */
export function columnId({ letter }: AnonymizedAnnotation): string {
  return `annotation-${letter}`;
}

function focused(annotations: readonly AnonymizedAnnotation[]): AnonymizedAnnotation | undefined {
  return annotations.find((each) =>
    document.getElementById(columnId(each))?.contains(document.activeElement),
  );
}

/** A decision with spans of its own that was taken back: an edit may go on from it. */
export function hasEarlier({ taken_back }: ItemPage): boolean {
  return (taken_back?.spans.length ?? 0) > 0;
}

function goingActions(page: ItemPage, { go }: ItemCommands): Action[] {
  const going = (id: string, label: string, key: string, to: string | null, when: string) =>
    action(id, label, "Going on", key, to !== null, () => go(to), when);
  return [
    going(
      "next-open",
      "Next item that is ready",
      KEYS.nextOpen,
      page.state === "open" ? null : page.next_open,
      "once this one is decided, where there is one",
    ),
    going("previous", "Previous item", KEYS.previous, page.previous, "where there is one"),
    going("next", "Next item", KEYS.next, page.next, "where there is one"),
  ];
}

function settling(
  id: string,
  label: string,
  key: string | null,
  isEnabled: boolean,
  run: () => void,
  when = "while nothing is decided",
): Action {
  return action(id, label, "Deciding", key, isEnabled, run, when);
}
