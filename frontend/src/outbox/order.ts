import type { DoneAssignment } from "../api/types";
import type { FlagEntry, OutboxEntry, OutboxState, StepEntry, Submit, SubmitEntry } from "./types";

/** When a failed entry may be tried again; times as of performance.now(). */
export interface Wait {
  tries: number;
  dueAt: number;
}

/** By the entry's `seq`; CONNECTION for a wait that holds for all of them. */
type Waits = ReadonlyMap<number, Wait>;

export const CONNECTION = 0;

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/** `spread` in [0, 1) keeps many browsers from coming back in step after an outage. */
export function waitAfter(tries: number, spread: number): number {
  const doubled = FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10);
  return Math.min(LONGEST_WAIT_MS, doubled) * (0.75 + spread / 2);
}

export function isSubmit(entry: OutboxEntry): entry is SubmitEntry {
  return "assignment" in entry;
}

export function isFlag(entry: OutboxEntry): entry is FlagEntry {
  return "flagged" in entry;
}

export function isStep(entry: OutboxEntry): entry is StepEntry {
  return "list" in entry;
}

type Queued = Pick<SubmitEntry, "assignment"> | Pick<StepEntry, "list"> | Pick<FlagEntry, "flagged" | "body">;

/**
 * What the entry is about. The entries of one assignment, or of one factoid list, are sent in their order; a flag is
 * alone in its queue.
 */
export function queueOf(entry: Queued): string {
  if ("assignment" in entry) return entry.assignment.id;
  return "list" in entry ? entry.list.id : `flag ${entry.body.client_id}`;
}

/** The first entry of each queue, unless it waits for the person's decision: then nothing of that one is sent. */
function sendable(entries: readonly OutboxEntry[]): OutboxEntry[] {
  const heads = new Map<string, OutboxEntry>();
  for (const entry of entries) {
    if (!heads.has(queueOf(entry))) heads.set(queueOf(entry), entry);
  }
  return [...heads.values()].filter((entry) => entry.refusal === null);
}

export function nextToSend(entries: readonly OutboxEntry[], waits: Waits, now: number): OutboxEntry | null {
  return sendable(entries).find((entry) => dueAt(entry, waits) <= now) ?? null;
}

/** Milliseconds until an entry falls due; null when none will by itself. */
export function untilDue(entries: readonly OutboxEntry[], waits: Waits, now: number): number | null {
  const due = sendable(entries).map((entry) => dueAt(entry, waits) - now);
  return due.length === 0 ? null : Math.max(0, Math.min(...due));
}

function dueAt(entry: OutboxEntry, waits: Waits): number {
  return Math.max(waits.get(entry.seq)?.dueAt ?? 0, waits.get(CONNECTION)?.dueAt ?? 0);
}

/** The entries of one queue, in the order of committing. */
export function ofQueue(entries: readonly OutboxEntry[], queue: string): OutboxEntry[] {
  return entries.filter((entry) => queueOf(entry) === queue);
}

/** The submits of one assignment, in the order of committing. */
export function ofAssignment(entries: readonly OutboxEntry[], assignmentId: string): SubmitEntry[] {
  return ofQueue(entries, assignmentId).filter(isSubmit);
}

/** The steps on one factoid list, in the order of committing. */
export function ofList(entries: readonly OutboxEntry[], listId: string): StepEntry[] {
  return ofQueue(entries, listId).filter(isStep);
}

/** The flags of one assignment that the server has not confirmed, in the order of committing. */
export function flagsOf(entries: readonly OutboxEntry[], assignmentId: string): FlagEntry[] {
  return entries.filter(isFlag).filter(({ flagged }) => flagged.id === assignmentId);
}

export function rebased<Entry extends SubmitEntry | StepEntry>(entry: Entry, revision: number): Entry {
  return { ...entry, body: { ...entry.body, base_revision: revision } };
}

/** The entry as the list of own done items shows it. */
export function doneOf({ assignment, body }: SubmitEntry): DoneAssignment {
  const state = body.skip_reason ? "skipped" : "submitted";
  return {
    id: assignment.id,
    position: assignment.position,
    state,
    text: assignment.item.text,
    answers: body.answers,
    n_spans: body.spans.length,
  };
}

/** The entry as the server will hold it at `revision`. */
export function submitOf({ body }: SubmitEntry, revision = body.base_revision + 1): Submit {
  const { answers, spans, comment, context_opened } = body;
  const now = { revision, answers, spans, comment, context_opened, skip_reason: body.skip_reason ?? null };
  return { clientId: body.client_id, now };
}

/** From whichever tab; null where none was made since the page was loaded. */
export function lastSubmit(
  { entries, confirmed }: Pick<OutboxState, "entries" | "confirmed">,
  assignmentId: string,
): Submit | null {
  const last = ofAssignment(entries, assignmentId).at(-1);
  return last ? submitOf(last) : (confirmed.get(assignmentId)?.submit ?? null);
}
