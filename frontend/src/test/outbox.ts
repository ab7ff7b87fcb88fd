import { ApiError } from "../api/errors";
import type { SentStep, StepReceipt } from "../api/factoids";
import type { SentFlag } from "../api/flags";
import type { AnnotationBody, AnnotationReceipt } from "../api/types";
import type { FlagEntry, Refill, StepEntry, SubmitEntry } from "../outbox/types";
import { assignment, labelWindow } from "./fixtures";

/** A submit that waits in the outbox. */
export function entry(id: string, seq: number, base_revision = 0, projectId = "p1"): SubmitEntry {
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

/** A server that stores each client id once, as the API promises; `failures` are answered first. */
export class Server {
  failures: ApiError[] = [];
  sent: AnnotationBody[] = [];
  revisions = new Map<string, number>();
  stored = new Map<string, number>();

  send = async (entry: SubmitEntry): Promise<AnnotationReceipt> => {
    this.sent.push(entry.body);
    const failure = this.failures.shift();
    if (failure) throw failure;
    const { client_id, answers, spans } = entry.body;
    const revision = this.stored.get(client_id) ?? (this.revisions.get(entry.assignment.id) ?? 0) + 1;
    this.stored.set(client_id, revision);
    this.revisions.set(entry.assignment.id, revision);
    const annotation = { id: client_id, revision, answers, spans, created_at: "" };
    return { annotation, refill: labelWindow([]) };
  };
  sentFlags: SentFlag[] = [];

  sendFlag = async ({ body }: FlagEntry): Promise<void> => {
    this.sentFlags.push(body);
    const failure = this.failures.shift();
    if (failure) throw failure;
  };
  sentSteps: SentStep[] = [];

  /** Refuses a stale one, as the API does. */
  sendStep = async ({ list, body }: StepEntry): Promise<StepReceipt> => {
    this.sentSteps.push(body);
    const failure = this.failures.shift();
    if (failure) throw failure;
    const now = this.revisions.get(list.id) ?? 0;
    const revision = this.stored.get(body.client_id) ?? now + 1;
    if (!this.stored.has(body.client_id) && body.base_revision !== now)
      throw new ApiError(409, { detail: "stale", code: "stale" });
    this.stored.set(body.client_id, revision);
    this.revisions.set(list.id, revision);
    return { revision, factoids: [] };
  };
}
