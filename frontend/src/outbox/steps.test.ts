import "fake-indexeddb/auto";
import { describe, expect, it, vi } from "vitest";
import type { ListStep } from "../api/factoids";
import { openDatabase } from "../browser/database";
import { factoid } from "../test/factoids";
import { Server } from "../test/outbox";
import { commit, NETWORK_DOWN, newBrowserForEachTest, saved, tab } from "../test/outboxTabs";
import { refusalWords, refusedEntries, saveWords } from "./copy";
import type { Outbox } from "./outbox";
import { OutboxStore } from "./store";
import type { NewEntry } from "./types";

newBrowserForEachTest();

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
