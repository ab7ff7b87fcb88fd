import { describe, expect, it } from "vitest";
import type { SpanLayer } from "../../../../api/types";
import { LAYER } from "../../../../test/spanFixtures";
import { type Fault, faultsOf, faultWords } from "./rules";
import { inTextOrder, type Mark } from "./types";

const TEXT = "They agreed to wait so that firms borrow. Later they met.";
const quote = ({ start, end }: Mark) => TEXT.slice(start, end);

function mark(category: string, words: string, part: Partial<Mark> = {}): Mark {
  const start = TEXT.indexOf(words);
  return { start, end: start + words.length, category, comment: "", source: null, ...part };
}

function faults(marks: Mark[], sources: string[] = []): [Fault["kind"], number | null, string][] {
  const found = faultsOf(LAYER, [...marks].sort(inTextOrder), quote, new Set(sources));
  return found.map(({ kind, place, message }) => [kind, place, message]);
}

const FIRST = mark("sentence", "They agreed to wait so that firms borrow.");
const SECOND = mark("sentence", "Later they met.");
const ACT = mark("act", "agreed to wait", { comment: "Waited" });

describe("span rules", () => {
  it("asks for what is mandatory in the whole text", () => {
    expect(faults([])).toEqual([["missing", null, "There is no Sentence in the text."]]);
  });

  it("has nothing against a complete sentence", () => {
    expect(faults([FIRST, ACT, mark("motive", "firms"), mark("motive", "borrow")])).toEqual([]);
  });

  it("asks each scope for its own, and names it by its words", () => {
    expect(faults([FIRST, ACT, SECOND])).toEqual([
      ["missing", 2, 'There is no Act in Sentence "Later they met.".'],
    ]);
  });

  it("counts what is too many", () => {
    const again = mark("act", "wait", { comment: "x" });
    expect(faults([FIRST, ACT, again])).toEqual([
      [
        "too_many",
        0,
        'There are 2 of Act in Sentence "They agreed to wait so that firms borrow"; at most 1 may be.',
      ],
    ]);
  });

  it("points at what lies outside its scope, or only half in it", () => {
    const half = mark("motive", "borrow. Later");
    expect(faults([FIRST, ACT, half])).toEqual([
      ["outside", 2, 'Motive "borrow. Later" must lie within a Sentence.'],
    ]);
  });

  it("takes a span of its scope's very range for inside", () => {
    const whole = { ...FIRST, category: "act", comment: "x" };
    expect(faults([FIRST, whole])).toEqual([]);
  });

  it("asks for a required comment, refuses one where none may be", () => {
    expect(
      faults([
        { ...FIRST, comment: "no" },
        { ...ACT, comment: " " },
      ]),
    ).toEqual([
      ["comment_refused", 0, "Sentence takes no comment."],
      ["comment_missing", 1, "Act needs a comment."],
    ]);
  });

  it("asks for a link where there are sources, and only there", () => {
    const reference = mark("reference", "Later");
    const rest = [FIRST, ACT];
    expect(faults([...rest, reference])).toEqual([]);
    expect(faults([...rest, reference], ["s1"])).toEqual([
      ["source_missing", 2, "Say which source document this Reference means."],
    ]);
    expect(faults([...rest, { ...reference, source: "s1" }], ["s1"])).toEqual([]);
    expect(faults([...rest, { ...reference, source: "s2" }], ["s1"])).toEqual([
      ["source_unknown", 2, "This is none of the item's source documents."],
    ]);
    expect(faults([FIRST, { ...ACT, source: "s1" }], ["s1"])).toEqual([
      ["source_refused", 1, "Act links to no source document."],
    ]);
  });

  it("knows the same span said twice, but not one with another comment", () => {
    const motive = mark("motive", "firms");
    expect(faults([FIRST, ACT, motive, motive])).toEqual([["twice", 3, "Marked twice: leave one out."]]);
    expect(faults([FIRST, ACT, motive, { ...motive, comment: "x" }])).toEqual([]);
  });

  it("says in one line what one place lacks, in text order", () => {
    const both: SpanLayer = {
      target: null,
      categories: LAYER.categories.map((each) =>
        each.key === "motive" ? { ...each, at_least: 1, comment: "required" } : each,
      ),
    };
    const motive = mark("motive", "met");
    const found = faultsOf(both, [FIRST, SECOND, motive], quote, new Set());
    expect(faultWords(found)).toEqual([
      'There is no Act, Motive in Sentence "They agreed to wait so that firms borrow".',
      'There is no Act in Sentence "Later they met.".',
      "Motive needs a comment.",
    ]);
  });

  it("refuses what cannot be stored", () => {
    expect(faults([FIRST, { ...ACT, comment: "a\0" }])).toEqual([
      ["comment_text", 1, "A character of the comment (U+0000) cannot be stored: take it out."],
    ]);
    expect(faults([FIRST, { ...ACT, comment: "😀" }])).toEqual([]);
  });
});
