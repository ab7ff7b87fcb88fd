import type { DoneAssignment } from "../api/types";
import { doneOf, isSubmit } from "../outbox/order";
import type { Draft, OutboxState } from "../outbox/types";

type Known = Pick<OutboxState, "entries" | "confirmed">;

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
  for (const refill of outbox.confirmed.values()) if (refill.projectId === projectId) add(refill.done, true);
  for (const entry of outbox.entries)
    if (isSubmit(entry) && entry.projectId === projectId) add(doneOf(entry), false);
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
