import type { Assignment, LabelWindow, SentWindow } from "./types";

/** As many ids as the server takes in one list. */
const MOST_HELD = 100;

/**
 * The window with each assignment's codebook. The server sends a codebook once beside the assignments, and none that the
 * page has told that it has: those are `known`.
 */
export function windowOf(sent: SentWindow, known: Assignment["codebook"][] = []): LabelWindow {
  const { codebooks, assignments, ...standing } = sent;
  const byId = new Map([...known, ...codebooks].map((codebook) => [codebook.id, codebook]));
  const whole = assignments.map((assignment) => {
    const codebook = byId.get(assignment.codebook);
    if (!codebook) throw new Error(`The codebook ${assignment.codebook} did not come with its items.`);
    return { ...assignment, codebook };
  });
  return { ...standing, assignments: whole };
}

/** The window with all that is in hand, of which the server sends no item again that the page has. */
export function withKnown(window: LabelWindow, known: readonly Assignment[]): LabelWindow {
  const byId = new Map([...known, ...window.assignments].map((each) => [each.id, each]));
  return { ...window, assignments: window.held.flatMap((id) => byId.get(id) ?? []) };
}

/** What the page tells the server that it has; undefined where that is nothing. Of an item known twice, the latter. */
export function heldList(known: readonly Assignment[]): string | undefined {
  const tagged = new Map(known.map(({ id, tag }) => [id, `${id}.${tag}`]));
  return tagged.size > 0 ? [...tagged.values()].slice(0, MOST_HELD).join(",") : undefined;
}
