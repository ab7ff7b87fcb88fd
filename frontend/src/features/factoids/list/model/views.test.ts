import { expect, it } from "vitest";
import { FACTOIDS, factoid, factoidList, TEXTS } from "../../../../test/factoids";
import {
  answeredOf,
  answerIn,
  atomicityOf,
  type Filter,
  filtered,
  marksOf,
  modeOf,
  standingOf,
  textsOf,
} from "./views";

const texts = textsOf(TEXTS);

it("knows in which texts a factoid stands, and how much of each text is covered", () => {
  expect(FACTOIDS.map((each) => standingOf(texts, each).signature)).toEqual(["110", "100", "010", "000"]);
  const marks = marksOf(texts, FACTOIDS);
  // M01 has three sentences, of which two are linked; M02 one of two; M03 none of one.
  expect(marks.covered).toEqual([2, 1, 0]);
  expect(marks.linked.get("M02-001")?.map(({ id }) => id)).toEqual(["P1", "P3"]);
});

it("names what stands in the same texts, everywhere and nowhere", () => {
  const everywhere = factoid("P6", ["M01-001", "M02-001", "M03-001"]);
  const atomicity = atomicityOf(texts, [...FACTOIDS, factoid("P5", ["M01-003"]), everywhere]);
  expect([...atomicity.alike]).toEqual([
    ["key-P2", ["P5"]],
    ["key-P5", ["P2"]],
  ]);
  expect([...atomicity.inAll]).toEqual(["key-P6"]);
  expect([...atomicity.inNone]).toEqual(["key-P4"]);
});

it("counts an answer where a sentence is linked, or it was said not to be there", () => {
  const given = [factoid("P1", ["M01-001", "M01-002"], "", ["M02"]), factoid("P2", [], "", ["M02"])];
  expect(answeredOf(texts, given)).toEqual([1, 2, 0]);
  expect([0, 1, 2].map((place) => answerIn(texts, given[0] ?? factoid("", []), place))).toEqual([
    "here",
    "absent",
    "undecided",
  ]);
});

it("filters by words and by where a factoid stands", () => {
  const all = [...FACTOIDS, factoid("P5", ["M01-003"], "the captain drank", ["M02"])];
  const shown = (filter: Filter, sought = "", place = 1) =>
    filtered(texts, all, filter, sought, place, atomicityOf(texts, all)).map(({ id }) => id);
  expect(shown("all", "WERE")).toEqual(["P2"]);
  expect(shown("all", "p ferry")).toEqual(["P1"]);
  expect(shown("alike")).toEqual(["P2", "P5"]);
  expect(shown("in-none")).toEqual(["P4"]);
  expect(shown("here")).toEqual(["P1", "P3"]);
  expect(shown("absent")).toEqual(["P5"]);
  expect(shown("undecided")).toEqual(["P2", "P4"]);
});

it("tells what is done with a list", () => {
  expect(modeOf(factoidList())).toBe("define");
  expect(modeOf(factoidList({ kind: "annotation" }))).toBe("annotate");
  expect(modeOf(factoidList({ step: "second_look" }))).toBe("items");
  // A draft from relations has no phase, and is edited as a list.
  expect(modeOf(factoidList({ kind: "consensus", step: "consensus", phase: null }))).toBe("define");
});
