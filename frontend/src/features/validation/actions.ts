import type { Action } from "../../keyboard/registry";
import type { Beside, ItemPage } from "./api";
import type { ItemCommands } from "./useItemBench";

/** Annotations beyond these are accepted and edited by button. */
const WITH_KEYS = ["A", "B", "C", "D", "E", "F", "G", "H"];

export function acceptKey({ letter }: Beside): string | null {
  return WITH_KEYS.includes(letter) ? letter.toLowerCase() : null;
}

export function editKey(annotation: Beside): string | null {
  const key = acceptKey(annotation);
  return key && `shift+${key}`;
}

export const KEYS = {
  nothing: "n",
  again: "t",
  reject: "x",
  reopen: "r",
  differences: "o",
  sources: "s",
  previous: "arrowleft",
  next: "arrowright",
  nextOpen: "enter",
  codebook: "k",
  keys: "?",
} as const;

/** Every key of the page while the annotations are looked at. */
export function readingActions(page: ItemPage, commands: ItemCommands): Action[] {
  const isOpen = page.state === "open";
  const usable = page.annotations.filter(({ skipped }) => !skipped);
  return [
    ...usable.map((each) =>
      settling(`accept-${each.letter}`, `Accept ${each.letter}`, acceptKey(each), isOpen, () =>
        commands.accept(each),
      ),
    ),
    ...usable.map((each) =>
      settling(`edit-${each.letter}`, `Edit from ${each.letter}`, editKey(each), isOpen, () =>
        commands.editFrom(each),
      ),
    ),
    settling("edit", "Edit from nothing", KEYS.nothing, isOpen, commands.editFromNothing),
    settling("again", "Edit what was settled before", KEYS.again, hasEarlier(page), commands.editAgain),
    settling("reject", "Reject all, with a reason", KEYS.reject, isOpen, commands.askReject),
    settling(
      "reopen",
      "Reopen: take the decision back",
      KEYS.reopen,
      page.decision !== null,
      commands.reopen,
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

/** A decision with spans of its own that was taken back: an edit may go on from it. */
export function hasEarlier({ taken_back }: ItemPage): boolean {
  return (taken_back?.spans.length ?? 0) > 0;
}

function goingActions(page: ItemPage, { go }: ItemCommands): Action[] {
  const going = (id: string, label: string, key: string, to: string | null) =>
    action(id, label, "Going on", key, to !== null, () => go(to));
  return [
    going(
      "next-open",
      "Next one that is ready",
      KEYS.nextOpen,
      page.state === "open" ? null : page.next_open,
    ),
    going("previous", "Previous item", KEYS.previous, page.previous),
    going("next", "Next item", KEYS.next, page.next),
  ];
}

function settling(
  id: string,
  label: string,
  key: string | null,
  isEnabled: boolean,
  run: () => void,
): Action {
  return action(id, label, "Settling", key, isEnabled, run);
}

function action(
  id: string,
  label: string,
  group: string,
  key: string | null,
  isEnabled: boolean,
  run: () => void,
): Action {
  return { id, label, group, key, isEnabled: () => isEnabled, run };
}
