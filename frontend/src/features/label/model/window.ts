import { AHEAD } from "../../../api/endpoints";
import type { Assignment, LabelWindow, Progress } from "../../../api/types";
import { withKnown } from "../../../api/windows";
import { lastSubmit, queueOf as queueOfEntry } from "../../../outbox/order";
import type { OutboxState, Refill } from "../../../outbox/types";

type Known = Pick<OutboxState, "entries" | "confirmed">;

/** Items of the window that this person still has to see. */
export function queueOf(window: LabelWindow, outbox: Known): Assignment[] {
  const isDone = doneHere(outbox);
  return window.assignments.filter(({ id }) => !isDone(id));
}

/** Committed here, or accepted already: the window may be from before that. */
function doneHere({ entries, confirmed }: Known): (assignmentId: string) => boolean {
  const committed = new Set(entries.map(queueOfEntry));
  return (id) => committed.has(id) || confirmed.has(id);
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

/** Counts as done, beside what the window does, those that it still has in hand. */
export function countedProgress({ progress, held }: LabelWindow, outbox: Known): Progress {
  return { ...progress, done: progress.done + held.filter(doneHere(outbox)).length };
}

/** What the server answered to `next`, and when by this browser's clock. */
interface ReceivedWindow {
  window: LabelWindow;
  at: number;
}

/** Whether the window has the first of what is in hand: an answer to a submit leaves out what the page had then. */
function isWhole({ held, assignments }: LabelWindow): boolean {
  return held[0] === assignments[0]?.id;
}

/**
 * The newer of what the server answered to `next` and to the last submit. The answer to a submit names all that is in
 * hand and brings what this page had not; the others are known from before.
 */
export function newestWindow(asked: ReceivedWindow | null, refill: Refill | undefined): LabelWindow | null {
  if (!asked) return refill && isWhole(refill.window) ? refill.window : null;
  if (!refill || refill.at < asked.at) return asked.window;
  return withKnown(refill.window, asked.window.assignments);
}

/** Fewer loaded items than this, and more to be had: more are asked for. */
const FEW = AHEAD / 2;

/** Whether the server has more for this person than what is loaded. Of long texts it sends fewer at a time. */
export function runsLow(window: LabelWindow, queue: readonly Assignment[]): boolean {
  const { done, total } = window.progress;
  const few = Math.min(FEW, window.assignments.length / 2);
  return window.state === "ok" && queue.length <= few && total - done > window.assignments.length;
}
