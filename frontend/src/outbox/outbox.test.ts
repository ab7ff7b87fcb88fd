import "fake-indexeddb/auto";
import { describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/errors";
import { assignment, labelWindow } from "../test/fixtures";
import { Server } from "../test/outbox";
import { body, clients, commit, NETWORK_DOWN, newBrowserForEachTest, saved, tab } from "../test/outboxTabs";
import { mayCorrect, maySendAgain, refusalWords, refusedEntries, saveWords } from "./copy";
import type { OutboxParts } from "./outbox";

newBrowserForEachTest();

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

  it("says what the page has, and keeps what an answer brought until it is done", async () => {
    const server = new Server();
    const known: string[][] = [];
    const brought = [
      labelWindow([assignment("a3")], { held: ["a2", "a3"] }),
      labelWindow([], { held: ["a3"] }),
    ];
    const outbox = await tab(server, {
      loaded: () => labelWindow([assignment("a1"), assignment("a2")]),
      send: async (entry, has) => {
        known.push(has.map(({ id }) => id));
        return { ...(await server.send(entry)), refill: brought.shift() ?? labelWindow([]) };
      },
    });
    void outbox.run();
    await commit(outbox, "a1", "c1");
    await saved(outbox);
    await commit(outbox, "a2", "c2");
    await saved(outbox);
    expect(known).toEqual([
      ["a1", "a2"],
      ["a1", "a2", "a3"],
    ]);
    expect(outbox.snapshot().refills.get("p1")?.window.assignments).toEqual([assignment("a3")]);
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
    expect(outbox.drafts.get("a1")).toMatchObject({ given: { opinion: "no" }, activeMs: 1 });
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
