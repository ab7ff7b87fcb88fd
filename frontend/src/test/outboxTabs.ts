import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { ApiError } from "../api/errors";
import type { AnnotationBody } from "../api/types";
import { openDatabase } from "../browser/database";
import { Outbox, type OutboxParts } from "../outbox/outbox";
import { OutboxStore } from "../outbox/store";
import type { Draft } from "../outbox/types";
import { assignment } from "./fixtures";
import { notesInMemory } from "./notes";
import type { Server } from "./outbox";

export const DRAFT: Draft = {
  baseRevision: 0,
  given: { opinion: "yes" },
  spans: [],
  comment: "",
  contextOpen: "sentence",
  contextOpened: "sentence",
  activeMs: 1,
  wallMs: 2,
};

export function body(client_id: string, base_revision = 0): AnnotationBody {
  return {
    ...{ client_id, base_revision, answers: { opinion: "no" }, spans: [], comment: "" },
    ...{ context_opened: "sentence", active_ms: 1, wall_ms: 2 },
  };
}

export const NETWORK_DOWN = () => new ApiError(0, null);
const open: Outbox[] = [];

/** Gives each test of a file a browser of its own, and stops the outboxes that it opened. */
export function newBrowserForEachTest(): void {
  afterEach(() => {
    for (const outbox of open.splice(0)) outbox.stop();
  });

  beforeEach(() => {
    vi.stubGlobal("indexedDB", new IDBFactory());
  });
}

/** One tab of the browser. `lock` queues tabs as the browser does, in one test's scope. */
export async function tab(server: Server, over: Partial<OutboxParts> = {}, userId = "anna"): Promise<Outbox> {
  const outbox = new Outbox({
    userId,
    store: new OutboxStore(await openDatabase(), userId),
    notes: notesInMemory(),
    remember: () => Promise.resolve(),
    rememberStep: () => Promise.resolve(),
    channel: new BroadcastChannel(`test-${userId}`),
    lock: (_name, _signal, work) => work(),
    send: server.send,
    loaded: () => undefined,
    sendStep: server.sendStep,
    sendFlag: server.sendFlag,
    signedIn: () => userId,
    whoAmI: async () => userId,
    random: () => 0.5,
    ...over,
  });
  await outbox.open();
  open.push(outbox);
  return outbox;
}

export const commit = (outbox: Outbox, id: string, client: string, base = 0) =>
  outbox.commit({ projectId: "p1", assignment: assignment(id), body: body(client, base) });

export const saved = (outbox: Outbox) =>
  vi.waitFor(() => expect(outbox.snapshot().entries).toEqual([]), { timeout: 5_000 });
export const clients = (server: Server) => server.sent.map((sent) => sent.client_id);
