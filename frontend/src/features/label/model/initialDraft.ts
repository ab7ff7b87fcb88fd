import { type Mark, marksOf } from "../../../api/marks";
import type { Answers, Assignment, ContextLevel, CurrentAnnotation } from "../../../api/types";
import { lastSubmit } from "../../../outbox/order";
import type { Draft, OutboxState } from "../../../outbox/types";
import type { Spent } from "./timeKeeper";

/** What the person finds on coming to an item. */
export interface InitialDraft {
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

type Known = Pick<OutboxState, "entries" | "confirmed">;

/** A draft first, else what is on its way to the server or just got there, else what the server had, else nothing. */
export function initialDraft(assignment: Assignment, draft: Draft | undefined, outbox: Known): InitialDraft {
  const now = newestOf(assignment, outbox);
  const stored = now && storedOf(now);
  const baseRevision = now?.revision ?? 0;
  const base: InitialDraft = {
    baseRevision,
    given: stored?.answers ?? assignment.first_look?.answers ?? {},
    spans: stored?.spans ?? [],
    comment: stored?.comment ?? assignment.first_look?.comment ?? "",
    skipReason: now?.skip_reason ?? null,
    contextOpen: now?.context_opened ?? "sentence",
    contextOpened: now?.context_opened ?? "sentence",
    spent: { activeMs: 0, wallMs: 0 },
    stored,
  };
  if (draft?.baseRevision !== baseRevision) return base;
  const { given, spans, comment, contextOpen, contextOpened, activeMs, wallMs } = draft;
  return { ...base, given, spans, comment, contextOpen, contextOpened, spent: { activeMs, wallMs } };
}

/** The work in hand, as a change of what another tab submitted meanwhile. */
export function overtaken(initial: InitialDraft, now: CurrentAnnotation): InitialDraft {
  return {
    ...initial,
    baseRevision: now.revision,
    skipReason: now.skip_reason,
    stored: storedOf(now),
  };
}

function newestOf({ id, current }: Assignment, outbox: Known): CurrentAnnotation | null {
  const submitted = lastSubmit(outbox, id)?.now ?? null;
  const isOlder = submitted && current && current.revision > submitted.revision;
  return isOlder ? current : (submitted ?? current);
}

function storedOf({ answers, spans, comment }: CurrentAnnotation) {
  return { answers, spans: marksOf(spans), comment };
}
