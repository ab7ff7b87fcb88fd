import "fake-indexeddb/auto";
import { describe, expect, it } from "vitest";
import { assignment } from "../test/fixtures";
import { notesInMemory } from "../test/notes";
import { Server } from "../test/outbox";
import { body, clients, commit, DRAFT, newBrowserForEachTest, saved, tab } from "../test/outboxTabs";
import type { Draft } from "./types";

newBrowserForEachTest();

describe("a page that is left before the database has a draft", () => {
  const LATER: Draft = { ...DRAFT, given: { opinion: "no" } };

  it("leaves a note, which the next page takes up as the newest state", async () => {
    const notes = notesInMemory();
    const before = await tab(new Server(), { notes });
    await before.drafts.save("a1", DRAFT, true);
    before.drafts.note("a1", LATER);
    const after = await tab(new Server(), { notes });
    expect(after.drafts.get("a1")).toEqual(LATER);
    expect(notes.all().size).toBe(0);
    // The database has it too.
    expect((await tab(new Server())).drafts.get("a1")).toEqual(LATER);
  });

  it("forgets the note once the draft is in the database, given up, or submitted", async () => {
    const notes = notesInMemory();
    const outbox = await tab(new Server(), { notes });
    outbox.drafts.note("a1", LATER);
    await outbox.drafts.save("a1", LATER, true);
    expect(notes.find("a1")).toBeNull();
    outbox.drafts.note("a1", LATER);
    await outbox.drafts.drop("a1");
    expect(notes.find("a1")).toBeNull();
    outbox.drafts.note("a1", LATER);
    await outbox.commit({ projectId: "p1", assignment: assignment("a1"), body: body("c1") });
    expect(notes.find("a1")).toBeNull();
  });

  it("does not bring back what is on its way to the server already", async () => {
    const notes = notesInMemory();
    const outbox = await tab(new Server(), { notes });
    await outbox.commit({ projectId: "p1", assignment: assignment("a1"), body: body("c1") });
    outbox.drafts.note("a1", LATER);
    expect((await tab(new Server(), { notes })).drafts.get("a1")).toBeUndefined();
  });
});

describe("a draft", () => {
  it("keeps a committed entry over a reload, and a draft too", async () => {
    const server = new Server();
    const before = await tab(server);
    await before.drafts.save("a2", DRAFT, true);
    await commit(before, "a1", "c1");
    before.stop();
    const after = await tab(server);
    expect(after.snapshot().entries.map((entry) => entry.body.client_id)).toEqual(["c1"]);
    expect(after.drafts.get("a2")).toEqual(DRAFT);
    void after.run();
    await saved(after);
    expect(clients(server)).toEqual(["c1"]);
  });

  it("drops the draft in the same step as it commits", async () => {
    const outbox = await tab(new Server());
    await outbox.drafts.save("a1", DRAFT, true);
    await commit(outbox, "a1", "c1");
    expect(outbox.drafts.get("a1")).toBeUndefined();
    expect((await tab(new Server())).drafts.get("a1")).toBeUndefined();
  });
});
