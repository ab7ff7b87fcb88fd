// @vitest-environment jsdom
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, expect, it, vi } from "vitest";
import { rememberSignedIn } from "../browser/signedIn";
import { assignment, labelWindow } from "../test/fixtures";
import { rememberStanding, withStanding } from "./offline";

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  rememberSignedIn("anna");
});

const progress = (done: number) => ({ progress: { done, total: 2, withdrawn: 0, batch_number: 1 } });
const before = labelWindow([assignment("a1"), assignment("a2")], progress(0));
const after = labelWindow([assignment("a2")], progress(1));

it("brings a kept window up to the last submit", async () => {
  await rememberStanding("p1", before);
  await rememberStanding("p1", after);
  expect(await withStanding("p1", before)).toEqual(after);
});

it("keeps the standing after a submit when a window that was asked for before it comes late", async () => {
  const askedAt = Date.now() - 1;
  await rememberStanding("p1", after);
  await rememberStanding("p1", before, askedAt);
  expect(await withStanding("p1", before)).toEqual(after);
});
