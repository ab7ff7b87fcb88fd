import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/errors";
import type { ListStep } from "../api/factoids";
import type { AnnotationBody } from "../api/types";
import { openDatabase } from "../browser/database";
import { factoid } from "../test/factoids";
import { assignment } from "../test/fixtures";
import { notesInMemory } from "../test/notes";
import { Server } from "../test/outbox";
import { mayCorrect, maySendAgain, refusalWords, refusedEntries, saveWords } from "./copy";
import { Outbox, type OutboxParts } from "./outbox";
import { OutboxStore } from "./store";
import type { Draft, NewEntry } from "./types";

const DRAFT: Draft = {
  baseRevision: 0,
  given: { opinion: "yes" },
  spans: [],
  comment: "",
  contextOpen: "sentence",
  contextOpened: "sentence",
  activeMs: 1,
  wallMs: 2,
};

function body(client_id: string, base_revision = 0): AnnotationBody {
  return {
    ...{ client_id, base_revision, answers: { opinion: "no" }, spans: [], comment: "" },
    ...{ context_opened: "sentence", active_ms: 1, wall_ms: 2 },
  };
}

const NETWORK_DOWN = () => new ApiError(0, null);
const open: Outbox[] = [];

afterEach(() => {
  for (const outbox of open.splice(0)) outbox.stop();
});

beforeEach(() => {
  // A new browser for every test.
  vi.stubGlobal("indexedDB", new IDBFactory());
});

describe("a page that is left before the database has a draft", () => {
  const LATER: Draft = { ...DRAFT, given: { opinion: "no" } };

  it("leaves a note, which the next page takes up as the newest state", async () => {
    const notes = notesInMemory();
    const before = await tab(new Server(), { notes });
    await before.saveDraft("a1", DRAFT, true);
    before.noteDraft("a1", LATER);
    const after = await tab(new Server(), { notes });
    expect(after.draft("a1")).toEqual(LATER);
    expect(notes.all().size).toBe(0);
    // The database has it too.
    expect((await tab(new Server())).draft("a1")).toEqual(LATER);
  });

  it("forgets the note once the draft is in the database, given up, or submitted", async () => {
    const notes = notesInMemory();
    const outbox = await tab(new Server(), { notes });
    outbox.noteDraft("a1", LATER);
    await outbox.saveDraft("a1", LATER, true);
    expect(notes.find("a1")).toBeNull();
    outbox.noteDraft("a1", LATER);
    await outbox.dropDraft("a1");
    expect(notes.find("a1")).toBeNull();
    outbox.noteDraft("a1", LATER);
    await outbox.commit({ projectId: "p1", assignment: assignment("a1"), body: body("c1") });
    expect(notes.find("a1")).toBeNull();
  });

  it("does not bring back what is on its way to the server already", async () => {
    const notes = notesInMemory();
    const outbox = await tab(new Server(), { notes });
    await outbox.commit({ projectId: "p1", assignment: assignment("a1"), body: body("c1") });
    outbox.noteDraft("a1", LATER);
    expect((await tab(new Server(), { notes })).draft("a1")).toBeUndefined();
  });
});

/** One tab of the browser. `lock` queues tabs as the browser does, in one test's scope. */
async function tab(server: Server, over: Partial<OutboxParts> = {}, userId = "anna"): Promise<Outbox> {
  const outbox = new Outbox({
    userId,
    store: new OutboxStore(await openDatabase(), userId),
    notes: notesInMemory(),
    remember: () => Promise.resolve(),
    rememberStep: () => Promise.resolve(),
    channel: new BroadcastChannel(`test-${userId}`),
    lock: (_name, _signal, work) => work(),
    send: server.send,
    sendStep: server.sendStep,
    signedIn: () => userId,
    whoAmI: async () => userId,
    random: () => 0.5,
    ...over,
  });
  await outbox.open();
  open.push(outbox);
  return outbox;
}

const commit = (outbox: Outbox, id: string, client: string, base = 0) =>
  outbox.commit({ projectId: "p1", assignment: assignment(id), body: body(client, base) });

const saved = (outbox: Outbox) =>
  vi.waitFor(() => expect(outbox.snapshot().entries).toEqual([]), { timeout: 5_000 });
const clients = (server: Server) => server.sent.map((sent) => sent.client_id);

describe("the outbox", () => {
  it("sends what is committed, settles it and brings the refill", async () => {
    const server = new Server();
    const outbox = await tab(server);
    void outbox.run();
    await commit(outbox, "a1", "c1");
    await saved(outbox);
    expect(clients(server)).toEqual(["c1"]);
    expect(outbox.snapshot().confirmed.get("a1")?.done.answers).toEqual({ opinion: "no" });
    expect(outbox.snapshot().refills.get("p1")?.window.assignments).toEqual([]);
    expect(saveWords(outbox.snapshot()).words).toBe("All saved");
  });

  it("keeps a committed entry over a reload, and a draft too", async () => {
    const server = new Server();
    const before = await tab(server);
    await before.saveDraft("a2", DRAFT, true);
    await commit(before, "a1", "c1");
    before.stop();
    const after = await tab(server);
    expect(after.snapshot().entries.map((entry) => entry.body.client_id)).toEqual(["c1"]);
    expect(after.draft("a2")).toEqual(DRAFT);
    void after.run();
    await saved(after);
    expect(clients(server)).toEqual(["c1"]);
  });

  it("drops the draft in the same step as it commits", async () => {
    const outbox = await tab(new Server());
    await outbox.saveDraft("a1", DRAFT, true);
    await commit(outbox, "a1", "c1");
    expect(outbox.draft("a1")).toBeUndefined();
    expect((await tab(new Server())).draft("a1")).toBeUndefined();
  });

  it("tries again with the same client id after a failure, and says so", async () => {
    const server = new Server();
    server.failures = [NETWORK_DOWN(), new ApiError(502, "bad gateway")];
    const outbox = await tab(server, { now: () => performance.now() * 50 });
    void outbox.run();
    await commit(outbox, "a1", "c1");
    await vi.waitFor(() =>
      expect(saveWords(outbox.snapshot()).words).toBe("1 saved on this device, sent when the server answers"),
    );
    outbox.retryNow();
    await vi.waitFor(() => expect(server.sent).toHaveLength(2));
    outbox.retryNow();
    await saved(outbox);
    expect(clients(server)).toEqual(["c1", "c1", "c1"]);
    expect(server.stored.size).toBe(1);
  });

  it("waits longer after every failure instead of hammering the server", async () => {
    const server = new Server();
    server.failures = [NETWORK_DOWN(), NETWORK_DOWN()];
    const outbox = await tab(server);
    void outbox.run();
    await commit(outbox, "a1", "c1");
    await vi.waitFor(() => expect(server.sent).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(server.sent).toHaveLength(1);
    await vi.waitFor(() => expect(server.sent).toHaveLength(2), { timeout: 2_000 });
  });

  it("sends one assignment's submits in order, each built on the revision before", async () => {
    const server = new Server();
    server.failures = [new ApiError(500, null)];
    const outbox = await tab(server);
    void outbox.run();
    await commit(outbox, "a1", "first", 0);
    await commit(outbox, "a1", "second", 7);
    await commit(outbox, "a2", "other");
    await vi.waitFor(() => expect(outbox.snapshot().confirmed.has("a2")).toBe(true));
    expect(clients(server)).toEqual(["first", "other"]);
    outbox.retryNow();
    await saved(outbox);
    expect(clients(server)).toEqual(["first", "other", "first", "second"]);
    expect(server.sent.at(-1)?.base_revision).toBe(1);
  });

  it("tries nothing else while the server cannot be reached", async () => {
    const server = new Server();
    server.failures = [NETWORK_DOWN()];
    const outbox = await tab(server);
    void outbox.run();
    await commit(outbox, "a1", "c1");
    await vi.waitFor(() => expect(outbox.snapshot().connection).toBe("retrying"));
    await commit(outbox, "a2", "c2");
    await vi.waitFor(() => expect(outbox.snapshot().entries).toHaveLength(2));
    expect(clients(server)).toEqual(["c1"]);
    await saved(outbox);
    expect(clients(server)).toEqual(["c1", "c1", "c2"]);
  });

  it("keeps everything while signed out, and goes on afterwards", async () => {
    const server = new Server();
    server.failures = [new ApiError(401, null)];
    const outbox = await tab(server);
    void outbox.run();
    await commit(outbox, "a1", "c1");
    await vi.waitFor(() =>
      expect(saveWords(outbox.snapshot()).words).toBe("1 saved on this device, sent once you sign in"),
    );
    outbox.retryNow();
    await saved(outbox);
    expect(clients(server)).toEqual(["c1", "c1"]);
  });
});

describe("people who share a browser", () => {
  it("never send each other's entries", async () => {
    const server = new Server();
    await commit(await tab(server), "a1", "annas");
    const berts = await tab(server, {}, "bert");
    void berts.run();
    await commit(berts, "b1", "berts");
    await saved(berts);
    expect(clients(server)).toEqual(["berts"]);
    expect((await tab(server)).snapshot().entries).toHaveLength(1);
  });

  it("hold an open tab's entries back while another person is signed in", async () => {
    const server = new Server();
    let signedIn = "bert";
    const annas = await tab(server, { signedIn: () => signedIn });
    void annas.run();
    await commit(annas, "a1", "annas");
    await vi.waitFor(() => expect(annas.snapshot().connection).toBe("signed-out"));
    expect(server.sent).toEqual([]);
    signedIn = "anna";
    // She signs in again in another tab, which wakes this one.
    await tab(server);
    await saved(annas);
    expect(clients(server)).toEqual(["annas"]);
  });

  it("keep an entry that another's session was told does not exist", async () => {
    const server = new Server();
    server.failures = [new ApiError(404, null)];
    const annas = await tab(server, { whoAmI: async () => "bert" });
    void annas.run();
    await commit(annas, "a1", "annas");
    await vi.waitFor(() => expect(annas.snapshot().connection).toBe("signed-out"));
    expect(annas.snapshot().entries[0]?.refusal).toBeNull();
  });
});

describe("two tabs", () => {
  /** As navigator.locks does it: the second holder waits for the first to end. */
  function queuedLock(): OutboxParts["lock"] {
    let held: Promise<void> = Promise.resolve();
    return (_name, _signal, work) => {
      held = held.then(work);
      return held;
    };
  }

  it("send once, from one tab, and both learn of it", async () => {
    const server = new Server();
    const lock = queuedLock();
    const [first, second] = [await tab(server, { lock }), await tab(server, { lock })];
    void first.run();
    void second.run();
    await commit(second, "a1", "c1");
    await saved(second);
    await saved(first);
    expect(clients(server)).toEqual(["c1"]);
    expect(second.snapshot().confirmed.has("a1")).toBe(true);
  });

  it("show alike that a send did not get through", async () => {
    const server = new Server();
    server.failures = [NETWORK_DOWN()];
    const lock = queuedLock();
    const [first, second] = [await tab(server, { lock }), await tab(server, { lock })];
    void first.run();
    void second.run();
    await commit(second, "a1", "c1");
    await vi.waitFor(() =>
      expect(saveWords(second.snapshot()).words).toBe("1 saved on this device, sent when the server answers"),
    );
    await saved(first);
  });

  it("hand the sending over when the first is closed", async () => {
    const server = new Server();
    const lock = queuedLock();
    const [first, second] = [await tab(server, { lock }), await tab(server, { lock })];
    void first.run();
    void second.run();
    first.stop();
    await commit(second, "a1", "c1");
    await saved(second);
    expect(clients(server)).toEqual(["c1"]);
  });
});

describe("what the server refuses", () => {
  const CURRENT = {
    ...{
      revision: 3,
      answers: { opinion: "yes" },
      comment: "",
      context_opened: "sentence",
      skip_reason: null,
    },
  };

  async function refused(error: ApiError) {
    const server = new Server();
    server.failures = [error];
    const outbox = await tab(server);
    void outbox.run();
    await commit(outbox, "a1", "c1");
    await vi.waitFor(() => expect(outbox.snapshot().entries[0]?.refusal).not.toBeNull());
    return { server, outbox };
  }

  it("waits for the person's decision, and holds nothing else up", async () => {
    const { server, outbox } = await refused(new ApiError(409, { code: "closed", detail: "frozen" }));
    await commit(outbox, "a1", "later");
    await commit(outbox, "a2", "other");
    await vi.waitFor(() => expect(outbox.snapshot().confirmed.has("a2")).toBe(true));
    expect(clients(server)).toEqual(["c1", "other"]);
    expect(saveWords(outbox.snapshot()).words).toBe("Not sent: 1 needs your decision");
  });

  it("sends mine over the server's current one, under a new client id", async () => {
    const { server, outbox } = await refused(new ApiError(409, { code: "stale", current: CURRENT }));
    expect(outbox.snapshot().entries[0]?.refusal?.current?.answers).toEqual({ opinion: "yes" });
    await outbox.keepMine("a1");
    await saved(outbox);
    expect(server.sent.at(-1)).toMatchObject({ base_revision: 3, answers: { opinion: "no" } });
    expect(server.sent.at(-1)?.client_id).not.toBe("c1");
  });

  it.each([
    ["closed", "A second look at this batch has begun. The answers before it can no longer be changed."],
    ["seen", "You have seen the others' answers to this item. Your own answer can no longer be changed."],
  ])("is told in the server's own words where it is final (%s)", async (code, detail) => {
    const { outbox } = await refused(new ApiError(409, { code, detail }));
    const [entry] = refusedEntries(outbox.snapshot().entries);
    if (!entry) throw new Error("Nothing was refused.");
    expect(refusalWords(entry)).toBe(detail);
    expect([maySendAgain(entry), mayCorrect(entry)]).toEqual([false, false]);
  });

  it("is given up when the person says so", async () => {
    const { server, outbox } = await refused(new ApiError(409, { code: "withdrawn" }));
    await commit(outbox, "a1", "later");
    await outbox.discard("a1");
    await saved(outbox);
    expect(clients(server)).toEqual(["c1"]);
    expect(outbox.snapshot().confirmed.has("a1")).toBe(false);
  });

  it("goes back into the person's hands to be corrected", async () => {
    const { outbox } = await refused(new ApiError(400, { errors: { "answers.mp": ["Unknown label."] } }));
    expect(outbox.snapshot().entries[0]?.refusal?.fields).toEqual({ "answers.mp": ["Unknown label."] });
    await outbox.backToDraft("a1");
    expect(outbox.snapshot().entries).toEqual([]);
    expect(outbox.draft("a1")).toMatchObject({ given: { opinion: "no" }, activeMs: 1 });
  });
});

it("says when the browser cannot store the answer, and keeps nothing half", async () => {
  const outbox = await tab(new Server());
  const unstorable = { ...body("c1"), comment: (() => {}) as unknown as string };
  await expect(
    outbox.commit({ projectId: "p1", assignment: assignment("a1"), body: unstorable }),
  ).rejects.toThrow();
  expect(outbox.snapshot().entries).toEqual([]);
});

function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** A database whose answers are late. */
class SlowStore extends OutboxStore {
  afterCommit: ReturnType<typeof gate> | null = null;
  afterRead: ReturnType<typeof gate> | null = null;
  /** Reads that wait, or waited. */
  reads = 0;

  override async entries() {
    const found = await super.entries();
    if (this.afterRead) this.reads += 1;
    await this.afterRead?.passed;
    return found;
  }

  override async commit(entry: NewEntry) {
    const committed = await super.commit(entry);
    await this.afterCommit?.passed;
    return committed;
  }
}

describe("steps on factoid lists", () => {
  const describeStep = (before: string, after: string): ListStep => ({
    kind: "describe",
    changes: [{ key: "k", before: factoid("P1", [], before), after: factoid("P1", [], after) }],
    item: null,
  });
  const step = (outbox: Outbox, client_id: string, base_revision: number, list = "l1") =>
    outbox.commit({
      projectId: "p1",
      list: { id: list, set: "Ferry" },
      body: { ...describeStep("", client_id), client_id, base_revision },
    });
  const sent = (server: Server) => server.sentSteps.map((each) => [each.client_id, each.base_revision]);

  it("go in their order, each over the revision that the one before it became, and are told as stored", async () => {
    const server = new Server();
    const noted: number[] = [];
    const outbox = await tab(server, { rememberStep: async ({ revision }) => void noted.push(revision) });
    await step(outbox, "c1", 0);
    await step(outbox, "c2", 7);
    await step(outbox, "c3", 0, "l2");
    void outbox.run();
    await saved(outbox);
    expect(sent(server)).toEqual([
      ["c1", 0],
      ["c2", 1],
      ["c3", 0],
    ]);
    expect(noted).toEqual([1, 2, 1]);
    expect(outbox.snapshot().steps.get("l1")).toEqual([
      { listId: "l1", clientId: "c1", revision: 1, step: describeStep("", "c1") },
      { listId: "l1", clientId: "c2", revision: 2, step: describeStep("", "c2") },
    ]);
  });

  it("outlive a dead network and a reload, with the same client ids", async () => {
    const server = new Server();
    server.failures = [NETWORK_DOWN()];
    const before = await tab(server);
    void before.run();
    await step(before, "c1", 0);
    await step(before, "c2", 1);
    await vi.waitFor(() => expect(before.snapshot().connection).toBe("retrying"));
    before.stop();
    const after = await tab(server);
    expect(saveWords(after.snapshot()).words).toBe("2 saved on this device, being sent");
    void after.run();
    await saved(after);
    expect(sent(server)).toEqual([
      ["c1", 0],
      ["c1", 0],
      ["c2", 1],
    ]);
  });

  it("wait behind a stale one, until they are put on top under new ids", async () => {
    const server = new Server();
    server.revisions.set("l1", 5);
    const outbox = await tab(server);
    void outbox.run();
    await step(outbox, "c1", 0);
    await step(outbox, "c2", 1);
    await vi.waitFor(() => expect(refusedEntries(outbox.snapshot().entries)).toHaveLength(1));
    const [refused] = refusedEntries(outbox.snapshot().entries);
    expect(refused && refusalWords(refused)).toBe(
      "This list was changed in another tab or on another machine meanwhile.",
    );
    expect(sent(server)).toEqual([["c1", 0]]);
    await outbox.sendStepsAgain("l1", 5, (steps) => steps.map((each) => ({ ...each, kind: "redo" })));
    await saved(outbox);
    expect(server.sentSteps.slice(1).map((each) => [each.kind, each.base_revision])).toEqual([
      ["redo", 5],
      ["redo", 6],
    ]);
    expect(new Set(server.sentSteps.map((each) => each.client_id)).size).toBe(3);
  });

  it("are not called saved while they are on their way into the database", async () => {
    const outbox = await tab(new Server());
    const committed = step(outbox, "c1", 0);
    expect(saveWords(outbox.snapshot()).words).toBe("Saving on this device");
    await committed;
    expect(saveWords(outbox.snapshot()).words).toBe("1 saved on this device, being sent");
  });

  it("are there once each where the database is read while one is committed", async () => {
    const store = new SlowStore(await openDatabase(), "anna");
    const outbox = await tab(new Server(), { store });
    const seqs = () => outbox.snapshot().entries.map(({ body }) => body.client_id);
    // Committed and read before the page has heard of the commit.
    store.afterCommit = gate();
    const first = step(outbox, "c1", 0);
    await vi.waitFor(async () => expect(await store.entries()).toHaveLength(1));
    await outbox.discard("another");
    expect(seqs()).toEqual(["c1"]);
    store.afterCommit.open();
    await first;
    expect(seqs()).toEqual(["c1"]);
    // Read before another one was committed, and heard of after it.
    store.afterRead = gate();
    const reading = outbox.discard("another");
    await vi.waitFor(() => expect(store.reads).toBe(1));
    await step(outbox, "c2", 1);
    store.afterRead.open();
    await reading;
    expect(seqs()).toEqual(["c1", "c2"]);
  });

  it("are given up together, and nothing else is", async () => {
    const server = new Server();
    server.revisions.set("l1", 5);
    const outbox = await tab(server);
    await step(outbox, "c1", 0);
    await step(outbox, "c2", 1);
    await commit(outbox, "a1", "c3");
    await outbox.discard("l1");
    expect(outbox.snapshot().entries.map((entry) => entry.body.client_id)).toEqual(["c3"]);
  });
});
