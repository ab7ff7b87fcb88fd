import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, expect, it, vi } from "vitest";
import { isSubmit } from "../outbox/order";
import { OutboxStore } from "../outbox/store";
import { openDatabase } from "./database";

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
});

/** The database as the page made it before there were spans. */
function earlier(): Promise<void> {
  return new Promise((resolve) => {
    const opening = indexedDB.open("quorum", 1);
    opening.onupgradeneeded = () => {
      const outbox = opening.result.createObjectStore("outbox", { keyPath: "seq", autoIncrement: true });
      outbox.createIndex("userId", "userId");
      const drafts = opening.result.createObjectStore("drafts", { keyPath: ["userId", "assignmentId"] });
      drafts.createIndex("userId", "userId");
      const current = { revision: 1, answers: { opinion: "no" } };
      const assignment = { id: "a1", item: { text: "One." }, current };
      outbox.add({ userId: "u", assignment, body: { answers: { opinion: "yes" }, spans: [] } });
      drafts.add({ userId: "u", assignmentId: "a2", given: { opinion: "yes" } });
    };
    opening.onsuccess = () => {
      opening.result.close();
      resolve();
    };
  });
}

it("keeps what an earlier page left, with empty lists of spans", async () => {
  await earlier();
  const store = new OutboxStore(await openDatabase(), "u");
  const entry = (await store.entries()).find(isSubmit);
  expect(entry?.assignment).toEqual({
    id: "a1",
    item: { text: "One.", sources: [], marks: [] },
    current: { revision: 1, answers: { opinion: "no" }, spans: [] },
  });
  expect(entry?.body.answers).toEqual({ opinion: "yes" });
  expect((await store.drafts()).get("a2")).toMatchObject({ given: { opinion: "yes" }, spans: [] });
});
