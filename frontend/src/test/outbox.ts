import type { OutboxEntry, Refill } from "../outbox/types";
import { assignment, labelWindow } from "./fixtures";

/** A submit that waits in the outbox. */
export function entry(id: string, seq: number, base_revision = 0, projectId = "p1"): OutboxEntry {
  const body = {
    ...{ client_id: `c${seq}`, base_revision, answers: { opinion: "no" }, spans: [], comment: "" },
    ...{ context_opened: "sentence" as const, active_ms: 1, wall_ms: 1 },
  };
  return { seq, userId: "u", projectId, assignment: assignment(id), body, refusal: null };
}

/** What the server answered to a submit. */
export function refill(id: string, at: number, window = labelWindow([])): Refill {
  const done = {
    id,
    position: Number(id.slice(1)),
    state: "submitted" as const,
    text: id,
    answers: {},
    n_spans: 0,
  };
  const now = {
    ...{ revision: 1, answers: {}, spans: [], comment: "" },
    context_opened: "sentence" as const,
  };
  return {
    projectId: "p1",
    done,
    submit: { clientId: `c-${id}`, now: { ...now, skip_reason: null } },
    window,
    at,
  };
}

/** Submits that the server has, by assignment. */
export const confirmed = (...ids: string[]) => new Map(ids.map((id) => [id, refill(id, 0)]));
