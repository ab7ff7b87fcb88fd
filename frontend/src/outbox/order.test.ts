import { describe, expect, it } from "vitest";
import { assignment } from "../test/fixtures";
import { lastSubmit, nextToSend, untilDue, waitAfter } from "./order";
import type { OutboxEntry } from "./types";
import { uuid } from "./uuid";

function entry(seq: number, id: string, refused = false, base = 0): OutboxEntry {
  const refusal = refused ? { status: 409, code: "closed", words: "", fields: {}, current: null } : null;
  return { seq, assignment: assignment(id), refusal, body: { base_revision: base } } as OutboxEntry;
}

describe("waitAfter", () => {
  it("doubles from one second to thirty, spread by a quarter either way", () => {
    expect([1, 2, 3, 5, 6, 60].map((tries) => waitAfter(tries, 0.5))).toEqual([
      1_000, 2_000, 4_000, 16_000, 30_000, 30_000,
    ]);
    expect([waitAfter(1, 0), waitAfter(60, 1)]).toEqual([750, 37_500]);
  });
});

describe("nextToSend", () => {
  const entries = [entry(1, "a"), entry(2, "a"), entry(3, "b", true), entry(4, "b"), entry(5, "c")];

  it("takes the first that is due, never a later one of the same assignment", () => {
    expect(nextToSend(entries, new Map(), 0)?.seq).toBe(1);
    const waits = new Map([[1, { tries: 1, dueAt: 100 }]]);
    expect(nextToSend(entries, waits, 50)?.seq).toBe(5);
    expect(nextToSend(entries, waits, 100)?.seq).toBe(1);
  });

  it("knows how long until one falls due", () => {
    const waits = new Map([
      [1, { tries: 1, dueAt: 100 }],
      [5, { tries: 1, dueAt: 70 }],
    ]);
    expect(nextToSend(entries, waits, 50)).toBeNull();
    expect(untilDue(entries, waits, 50)).toBe(20);
    expect(untilDue([entry(3, "b", true)], waits, 50)).toBeNull();
  });
});

it("builds a submit on the ones before it that are still on their way", () => {
  const entries = [entry(1, "a", false, 0), entry(2, "a", false, 1)];
  const outbox = { entries, confirmed: new Map() };
  expect(lastSubmit(outbox, "a")?.now.revision).toBe(2);
  expect(lastSubmit(outbox, "b")).toBeNull();
});

it("makes version 4 UUIDs with and without a secure context", () => {
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(uuid()).toMatch(form);
  const secure = crypto.randomUUID;
  Object.defineProperty(crypto, "randomUUID", { value: undefined, configurable: true });
  expect(uuid()).toMatch(form);
  expect(uuid()).not.toBe(uuid());
  Object.defineProperty(crypto, "randomUUID", { value: secure, configurable: true });
});
