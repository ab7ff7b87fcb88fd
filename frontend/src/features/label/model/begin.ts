import { type Mark, marksOf } from "../../../api/marks";
import type { Answers, Assignment, ContextLevel } from "../../../api/types";
import { nextBase, ofAssignment } from "../../../outbox/order";
import type { Draft, OutboxEntry } from "../../../outbox/types";
import type { Spent } from "./timeKeeper";

/** What the person finds on coming to an item. */
export interface Beginning {
  baseRevision: number;
  given: Answers;
  spans: readonly Mark[];
  comment: string;
  skipReason: string | null;
  contextOpen: ContextLevel;
  contextOpened: ContextLevel;
  spent: Spent;
  /** What is stored or on its way already: submitting the same again would say nothing. */
  stored: { answers: Answers; spans: readonly Mark[]; comment: string } | null;
}

/** A draft first, else what is on its way to the server, else what the server has, else nothing. */
export function beginningOf(
  assignment: Assignment,
  draft: Draft | undefined,
  entries: readonly OutboxEntry[],
): Beginning {
  const stored = storedOf(assignment, entries);
  const baseRevision = nextBase(entries, assignment.id, assignment.current?.revision ?? 0);
  const base: Beginning = {
    baseRevision,
    given: stored?.answers ?? assignment.first_look?.answers ?? {},
    spans: stored?.spans ?? [],
    comment: stored?.comment ?? assignment.first_look?.comment ?? "",
    skipReason: stored?.skipReason ?? null,
    contextOpen: stored?.contextOpened ?? "sentence",
    contextOpened: stored?.contextOpened ?? "sentence",
    spent: { activeMs: 0, wallMs: 0 },
    stored,
  };
  if (draft?.baseRevision !== baseRevision) return base;
  const { given, spans, comment, contextOpen, contextOpened, activeMs, wallMs } = draft;
  return { ...base, given, spans, comment, contextOpen, contextOpened, spent: { activeMs, wallMs } };
}

function storedOf(assignment: Assignment, entries: readonly OutboxEntry[]) {
  const body = ofAssignment(entries, assignment.id).at(-1)?.body ?? assignment.current;
  if (!body) return null;
  return {
    answers: body.answers,
    spans: marksOf(body.spans),
    comment: body.comment,
    contextOpened: body.context_opened,
    skipReason: body.skip_reason ?? null,
  };
}
