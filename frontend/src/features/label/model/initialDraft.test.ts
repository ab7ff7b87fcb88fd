import { describe, expect, it } from "vitest";
import type { Draft, OutboxEntry } from "../../../outbox/types";
import { assignment } from "../../../test/fixtures";
import { initialDraft } from "./initialDraft";

const DRAFT: Draft = {
  baseRevision: 0,
  given: { opinion: "yes" },
  spans: [],
  comment: "hm",
  contextOpen: "sentence",
  contextOpened: "utterance",
  activeMs: 5,
  wallMs: 6,
};

const NOTHING = { entries: [], confirmed: new Map() };

const STORED = assignment("a1", {
  current: {
    revision: 2,
    answers: { opinion: "no" },
    spans: [],
    comment: "x",
    context_opened: "utterance",
    skip_reason: null,
  },
});

describe("beginningOf", () => {
  it("begins with nothing on a new item", () => {
    const { given, stored, baseRevision } = initialDraft(assignment("a1"), undefined, NOTHING);
    expect({ given, stored, baseRevision }).toEqual({ given: {}, stored: null, baseRevision: 0 });
  });

  it("begins with the draft, its context and its time", () => {
    expect(initialDraft(assignment("a1"), DRAFT, NOTHING)).toMatchObject({
      given: { opinion: "yes" },
      comment: "hm",
      contextOpened: "utterance",
      spent: { activeMs: 5, wallMs: 6 },
    });
  });

  it("begins with the stored answers on an item come back to", () => {
    const initial = initialDraft(STORED, undefined, NOTHING);
    expect(initial).toMatchObject({ given: { opinion: "no" }, baseRevision: 2, contextOpen: "utterance" });
  });

  it("leaves a draft aside that was begun from an older revision", () => {
    expect(initialDraft(STORED, DRAFT, NOTHING).given).toEqual({ opinion: "no" });
    expect(initialDraft(STORED, { ...DRAFT, baseRevision: 2 }, NOTHING).given).toEqual({ opinion: "yes" });
  });

  it("begins with what is on its way, and builds on its revision to come", () => {
    const body = {
      answers: { opinion: "ambiguous" },
      spans: [],
      comment: "",
      context_opened: "sentence",
      base_revision: 2,
    };
    const entry = { seq: 1, assignment: STORED, body, refusal: null } as unknown as OutboxEntry;
    expect(initialDraft(STORED, undefined, { ...NOTHING, entries: [entry] })).toMatchObject({
      given: { opinion: "ambiguous" },
      baseRevision: 3,
    });
  });
});
