import { AHEAD } from "../../../api/endpoints";
import type { Assignment, DoneAssignment, LabelWindow, Progress } from "../../../api/types";
import { doneOf, lastSubmit } from "../../../outbox/order";
import type { Draft, OutboxEntry, OutboxState, Refill } from "../../../outbox/types";

type Known = Pick<OutboxState, "entries" | "settled">;

/** Items of the window that this person still has to see: not committed here, not accepted already. */
export function queueOf(window: LabelWindow, outbox: Known): Assignment[] {
  const committed = new Set(outbox.entries.map((entry) => entry.assignment.id));
  return window.assignments.filter(
    (assignment) => !committed.has(assignment.id) && !outbox.settled.has(assignment.id),
  );
}

/**
 * The item on the page stays until this tab has submitted it, whatever a newer window holds; also when another tab has,
 * until its bench lets go of it.
 */
export function currentOf(
  shown: Assignment | null,
  queue: Assignment[],
  outbox: Known & Pick<OutboxState, "left">,
) {
  const submit = shown && lastSubmit(outbox, shown.id);
  const gone = !shown || (submit && outbox.left.has(submit.clientId));
  return gone ? (queue[0] ?? null) : shown;
}

/** Done counts what is committed here and not yet counted by the server. */
export function countedProgress(
  progress: Progress,
  projectId: string,
  entries: readonly OutboxEntry[],
): Progress {
  const first = entries.filter((entry) => entry.projectId === projectId && entry.body.base_revision === 0);
  const waiting = new Set(first.map((entry) => entry.assignment.id)).size;
  return { ...progress, done: Math.min(progress.total, progress.done + waiting) };
}

export interface DoneItem {
  id: string;
  position: number;
  text: string;
  answers: Record<string, string>;
  nSpans: number;
  state: DoneAssignment["state"];
  saved: boolean;
}

/** Own done items of the open batch in the person's order: the server's and those submitted since the page was loaded. */
export function doneItems(done: readonly DoneAssignment[], projectId: string, outbox: Known): DoneItem[] {
  const items = new Map<string, DoneItem>();
  const add = ({ id, position, text, answers, n_spans, state }: DoneAssignment, saved: boolean) =>
    items.set(id, { id, position, text, answers, nSpans: n_spans, state, saved });
  for (const each of done) add(each, true);
  for (const refill of outbox.settled.values()) if (refill.projectId === projectId) add(refill.done, true);
  for (const entry of outbox.entries) if (entry.projectId === projectId) add(doneOf(entry), false);
  return [...items.values()].sort((a, b) => a.position - b.position);
}

/** Whether a draft changes a done item: one from before its first submit does not hold any more. */
export function changesDone(draft: Draft | undefined): boolean {
  return draft !== undefined && draft.baseRevision > 0;
}

/** The item before or after `id` among the done ones, null past either end. One that is not done stands after them. */
export function neighbour(items: readonly DoneItem[], id: string | null, step: -1 | 1): DoneItem | null {
  const place = items.findIndex((item) => item.id === id);
  return items[(place === -1 ? items.length : place) + step] ?? null;
}

/** What the server answered to `next`, and when by this browser's clock. */
export interface Asked {
  window: LabelWindow;
  at: number;
}

/**
 * The newer of what the server answered to `next` and to the last submit. The answer to a submit names all that is in
 * hand and brings the first few of it; the others are known from before.
 */
export function newestWindow(asked: Asked | null, refill: Refill | undefined): LabelWindow | null {
  if (!asked) return refill?.window ?? null;
  if (!refill || refill.at < asked.at) return asked.window;
  const known = new Map(
    [...asked.window.assignments, ...refill.window.assignments].map((each) => [each.id, each]),
  );
  const assignments = refill.window.held.flatMap((id) => known.get(id) ?? []);
  return { ...refill.window, assignments };
}

/** Fewer loaded items than this, and more to be had: more are asked for. */
const FEW = AHEAD / 2;

/** Whether the server has more for this person than what is loaded. Of long texts it sends fewer at a time. */
export function runsLow(window: LabelWindow, queue: readonly Assignment[]): boolean {
  const { done, total } = window.progress;
  const few = Math.min(FEW, window.assignments.length / 2);
  return window.state === "ok" && queue.length <= few && total - done > window.assignments.length;
}
