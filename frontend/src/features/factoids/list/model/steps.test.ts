import { describe, expect, it } from "vitest";
import { type FactoidList, type ListStep, withSteps } from "../../../../api/factoids";
import { FACTOIDS, factoid, factoidList, listItem } from "../../../../test/factoids";
import { stepsOnTop } from "./onTop";
import {
  decideItem,
  deleteFactoid,
  describeFactoid,
  idFault,
  inverse,
  mergeFactoids,
  newFactoid,
  nextId,
  renumberAll,
  renumberFactoid,
  restAbsent,
  sentencesOf,
  splitFactoid,
  toggleAbsent,
  toggleLink,
} from "./steps";

const LIST = factoidList();
const byId = (list: FactoidList, id: string) => {
  const found = list.factoids.find((each) => each.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
};
const made = (step: ListStep | null, list = LIST) => withSteps(list, step ? [step] : []);
const ids = (list: FactoidList) => list.factoids.map(({ id }) => id);

describe("a step on a list", () => {
  it("makes a factoid with its sentence and the next number", () => {
    const now = made(newFactoid(LIST, "k", ["M03-001"], "oil leaked"));
    expect(byId(now, "P5")).toEqual({
      ...{ key: "k", id: "P5", description: "oil leaked", sentences: ["M03-001"], absent: [] },
    });
  });

  it.each([
    [["F9.9", "F9.21"], "F9.22"],
    [["P2", "P10", "P9"], "P11"],
    [[], "F1"],
    [["intro"], "F1"],
    [["A3", "P1"], "P2"],
  ])("numbers on after %j: %s", (taken, next) => {
    expect(nextId(taken.map((id) => ({ id })))).toBe(next);
  });

  it("describes, and is none where nothing changes", () => {
    const p1 = byId(LIST, "P1");
    expect(byId(made(describeFactoid(p1, " the ferry is aground ")), "P1").description).toBe(
      "the ferry is aground",
    );
    expect(describeFactoid(p1, "a ferry ran aground ")).toBeNull();
  });

  it("links a sentence, which takes “not here” back, and unlinks it", () => {
    const p4 = factoid("P4", [], "", ["M03"]);
    const linked = toggleLink(p4, "M03-001", "M03");
    expect(linked.kind).toBe("link");
    expect(linked.changes[0]?.after).toEqual({ ...p4, sentences: ["M03-001"], absent: [] });
    const unlinked = toggleLink(byId(LIST, "P1"), "M01-001", "M01");
    expect(unlinked.kind).toBe("unlink");
    expect(unlinked.changes[0]?.after?.sentences).toEqual(["M02-001"]);
  });

  it("says that a factoid is not in a text, which takes its links there away, and takes that back", () => {
    const said = toggleAbsent(byId(LIST, "P1"), "M01", sentencesOf(LIST, "M01"));
    const now = byId(made(said), "P1");
    expect([now.sentences, now.absent]).toEqual([["M02-001"], ["M01"]]);
    const back = byId(made(toggleAbsent(now, "M01", sentencesOf(LIST, "M01"))), "P1");
    expect([back.sentences, back.absent]).toEqual([["M02-001"], []]);
  });

  it("answers all that is undecided in a text at once", () => {
    const now = made(restAbsent([byId(LIST, "P3"), byId(LIST, "P4")], "M01"));
    expect(now.factoids.map(({ absent }) => absent)).toEqual([[], [], ["M01"], ["M01"]]);
  });

  it("splits: the first half keeps the id, sentences may go to both", () => {
    const step = splitFactoid(LIST, byId(LIST, "P1"), "k", {
      first: { description: "a ferry", sentences: ["M01-001", "M02-001"] },
      second: { description: "it ran aground", sentences: ["M01-001"] },
    });
    const now = made(step);
    expect(byId(now, "P1").sentences).toEqual(["M01-001", "M02-001"]);
    expect(byId(now, "P5")).toMatchObject({ description: "it ran aground", sentences: ["M01-001"] });
  });

  it("merges: sentences of both, once each, under the kept id", () => {
    const now = made(mergeFactoids(byId(LIST, "P1"), byId(LIST, "P3"), "aground in fog"));
    expect(ids(now)).toEqual(["P1", "P2", "P4"]);
    expect(byId(now, "P1").sentences).toEqual(["M01-001", "M02-001"]);
  });

  it("renumbers one to a free id, or all in their order", () => {
    expect(idFault(LIST, byId(LIST, "P1"), "P2")).toMatch("P2 is another factoid’s id");
    expect(idFault(LIST, byId(LIST, "P1"), " ")).toMatch("needs an id");
    expect(idFault(LIST, byId(LIST, "P1"), "x".repeat(101))).toMatch("This id has 101 characters.");
    expect(idFault(LIST, byId(LIST, "P1"), "é".repeat(100))).toBeNull();
    expect(idFault(LIST, byId(LIST, "P1"), "P1")).toBeNull();
    expect(ids(made(renumberFactoid(byId(LIST, "P1"), "P20")))).toEqual(["P2", "P3", "P4", "P20"]);
    const gap = made(deleteFactoid(byId(LIST, "P2")));
    const closed = renumberAll(gap, "P");
    expect(closed?.changes).toHaveLength(2);
    expect(made(closed, gap).factoids.map(({ id, key }) => [id, key])).toEqual([
      ["P1", "key-P1"],
      ["P2", "key-P3"],
      ["P3", "key-P4"],
    ]);
    expect(renumberAll(LIST, "P")).toBeNull();
  });

  it("is taken back as a whole by its inverse", () => {
    const steps = [
      deleteFactoid(byId(LIST, "P1")),
      mergeFactoids(byId(LIST, "P2"), byId(LIST, "P3"), "both"),
      newFactoid(LIST, "k", [], ""),
      renumberAll(made(deleteFactoid(byId(LIST, "P1"))), "Q"),
    ];
    for (const step of steps)
      if (step)
        expect(withSteps(LIST, [step, inverse(step, "undo"), step, inverse(step, "undo")]).factoids).toEqual(
          FACTOIDS,
        );
  });
});

describe("deciding an item", () => {
  const item = listItem("i1", "key-P1", "M02", true);
  const annotation = factoidList({ kind: "annotation", step: "second_look", items: [item] });

  it("that stands changes the item alone", () => {
    const step = decideItem(annotation, item, { is_there: true, note: "" }, ["M02-001"]);
    expect(step.changes).toEqual([]);
    expect(made(step, annotation).items[0]?.is_there).toBe(true);
  });

  it("to “not there” takes the links in that text away; in an annotation it is absent then", () => {
    const step = decideItem(annotation, item, { is_there: false, note: "misread" }, []);
    const now = made(step, annotation);
    expect(byId(now, "P1")).toMatchObject({ sentences: ["M01-001"], absent: ["M02"] });
    expect(now.items[0]).toMatchObject({ is_there: false, note: "misread" });
    const definition = factoidList({ step: "second_look", items: [item] });
    const defined = made(decideItem(definition, item, { is_there: false, note: "" }, []), definition);
    expect(byId(defined, "P1")).toMatchObject({ sentences: ["M01-001"], absent: [] });
  });

  it("to “there” links the chosen sentences, and undo opens it again", () => {
    const open = listItem("i2", "key-P4", "M02", false);
    const list = factoidList({
      kind: "annotation",
      items: [open],
      factoids: [factoid("P4", [], "", ["M02", "M03"])],
    });
    const step = decideItem(list, open, { is_there: true, note: "" }, ["M02-002"]);
    expect(byId(made(step, list), "P4")).toMatchObject({ sentences: ["M02-002"], absent: ["M03"] });
    const undone = withSteps(list, [step, inverse(step, "undo")]);
    expect(undone.factoids).toEqual(list.factoids);
    expect(undone.items[0]?.is_there).toBeNull();
  });
});

describe("steps on top of a list that was changed elsewhere", () => {
  it("keep what was changed there and what was changed here", () => {
    const mine = [
      toggleLink(byId(LIST, "P1"), "M03-001", "M03"),
      describeFactoid(byId(made(toggleLink(byId(LIST, "P1"), "M03-001", "M03")), "P1"), "mine"),
    ].filter((each) => each !== null);
    const there = made(toggleLink(byId(LIST, "P1"), "M01-001", "M01"));
    const again = stepsOnTop(there, mine);
    expect(byId(withSteps(there, again), "P1")).toMatchObject({
      description: "mine",
      sentences: ["M02-001", "M03-001"],
    });
    // Each says what it was made from, for its undo.
    expect(again[0]?.changes[0]?.before?.sentences).toEqual(["M02-001"]);
  });

  it("give a new factoid a free id, bring back what was deleted there, and delete what is there", () => {
    const there = withSteps(LIST, [
      newFactoid(LIST, "theirs", [], "theirs"),
      deleteFactoid(byId(LIST, "P2")),
    ]);
    const mine = [
      newFactoid(LIST, "mine", [], "mine"),
      toggleLink(byId(LIST, "P2"), "M03-001", "M03"),
      deleteFactoid(byId(LIST, "P3")),
    ];
    const now = withSteps(there, stepsOnTop(there, mine));
    expect(now.factoids.map(({ id, description }) => [id, description])).toEqual([
      ["P1", "a ferry ran aground"],
      ["P2", "passengers were taken ashore"],
      ["P4", ""],
      ["P5", "theirs"],
      ["P6", "mine"],
    ]);
  });
});
