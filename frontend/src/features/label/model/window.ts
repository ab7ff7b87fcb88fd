import { AHEAD } from "../../../api/endpoints";
import type { Assignment, LabelWindow, Progress } from "../../../api/types";
import { lastSubmit } from "../../../outbox/order";
import type { OutboxEntry, OutboxState, Refill } from "../../../outbox/types";

type Known = Pick<OutboxState, "entries" | "confirmed">;

/** Items of the window that this person still has to see: not committed here, not accepted already. */
export function queueOf(window: LabelWindow, outbox: Known): Assignment[] {
  const committed = new Set(outbox.entries.map((entry) => entry.assignment.id));
  return window.assignments.filter(
    (assignment) => !committed.has(assignment.id) && !outbox.confirmed.has(assignment.id),
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

/** What the server answered to `next`, and when by this browser's clock. */
export interface ReceivedWindow {
  window: LabelWindow;
  at: number;
}

/**
 * The newer of what the server answered to `next` and to the last submit. The answer to a submit names all that is in
 * hand and brings the first few of it; the others are known from before.
 */
export function newestWindow(asked: ReceivedWindow | null, refill: Refill | undefined): LabelWindow | null {
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
