import { expect, it } from "vitest";
import type { ListStep, SentStep } from "../../../../api/factoids";
import type { StepEntry } from "../../../../outbox/types";
import { FACTOIDS, factoidList } from "../../../../test/factoids";
import { deleteFactoid, describeFactoid, newFactoid, toggleLink } from "./steps";
import { begun, listNow, nextBase, redoOf, undoOf, type WorkState, work } from "./work";

const LIST = factoidList();
const [P1, P2, P3] = FACTOIDS;
if (!P1 || !P2 || !P3) throw new Error("no factoids");

const did = (state: WorkState, clientId: string, step: ListStep | null) => {
  if (!step) throw new Error("no step");
  return work(state, { kind: "did", clientId, step });
};
const waits = (client_id: string, step: ListStep): StepEntry => ({
  ...{ seq: 1, userId: "u", projectId: "p1", list: { id: "l1", set: "Ferry" }, refusal: null },
  body: { ...step, client_id, base_revision: 0 } satisfies SentStep,
});
const ids = (state: Parameters<typeof listNow>[1]) => listNow(LIST, state).factoids.map(({ id }) => id);

it("begins with the first sentence", () => {
  expect(begun(LIST).sentence).toBe("M01-001");
  expect(begun(factoidList({ texts: [] })).sentence).toBeNull();
});

it("undoes and redoes, and a new step ends what could be redone", () => {
  const delete2 = deleteFactoid(P2);
  let state = did(did(begun(LIST), "c1", toggleLink(P1, "M03-001", "M03")), "c2", delete2);
  const undo = undoOf(state);
  expect(undo).toEqual({ kind: "undo", changes: [{ key: "key-P2", before: null, after: P2 }], item: null });
  state = did(state, "c3", undo);
  expect([state.past.length, state.future.length]).toEqual([1, 1]);
  expect(redoOf(state)).toEqual({ ...delete2, kind: "redo" });
  // What came back is at hand, and what is gone again is not.
  expect(state.active).toBe("key-P2");
  expect(did(state, "c4", redoOf(state)).active).toBeNull();
  const again = did(state, "c4", redoOf(state));
  expect([again.past.length, again.future.length]).toEqual([2, 0]);
  expect(undoOf(again)?.changes).toEqual([{ key: "key-P2", before: null, after: P2 }]);
  const other = did(state, "c4", deleteFactoid(P3));
  expect(redoOf(other)).toBeNull();
  expect(undoOf(begun(LIST))).toBeNull();
});

it("shows the server's list with the steps that are stored, waiting and fresh, each once", () => {
  const steps = [deleteFactoid(P1), deleteFactoid(P2), deleteFactoid(P3)];
  const [one, two, three] = steps as [ListStep, ListStep, ListStep];
  const stored = [
    // The list that was loaded has it already.
    { listId: "l1", clientId: "c0", revision: 4, step: newFactoid(LIST, "k", [], "") },
    { listId: "l1", clientId: "c1", revision: 5, step: one },
  ];
  const fresh = [
    { clientId: "c1", step: one },
    { clientId: "c2", step: two },
    { clientId: "c3", step: three },
  ];
  const known = { stored, waiting: [waits("c2", two)], fresh };
  expect(ids(known)).toEqual(["P4"]);
  const now = listNow(LIST, known);
  expect(now.revision).toBe(5);
  // c2 becomes 6 and c3 becomes 7: the next one builds on 7.
  expect(nextBase(now.revision, known)).toBe(7);
});

it("forgets a step once it is committed: what the outbox gave up is gone from the page", () => {
  const state = did(begun(LIST), "c1", deleteFactoid(P1));
  expect(ids({ stored: [], waiting: [], fresh: state.fresh })).toEqual(["P2", "P3", "P4"]);
  const committed = work(state, { kind: "committed", clientId: "c1" });
  expect(ids({ stored: [], waiting: [], fresh: committed.fresh })).toEqual(["P1", "P2", "P3", "P4"]);
});

it("keeps what a step does not touch the same object", () => {
  const known = {
    stored: [],
    waiting: [],
    fresh: [{ clientId: "c", step: toggleLink(P1, "M03-001", "M03") }],
  };
  expect(listNow(LIST, known).factoids[1]).toBe(P2);
  expect(describeFactoid(P2, P2.description)).toBeNull();
});

it("goes to a sentence and a factoid, and is the same state where it is there", () => {
  const state = work(work(begun(LIST), { kind: "at", sentence: "M02-001" }), {
    kind: "active",
    key: "key-P2",
  });
  expect([state.sentence, state.active]).toEqual(["M02-001", "key-P2"]);
  expect(work(state, { kind: "at", sentence: "M02-001" })).toBe(state);
  expect(work(state, { kind: "active", key: "key-P2" })).toBe(state);
});
