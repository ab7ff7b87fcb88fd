import { describe, expect, it } from "vitest";
import type { SpanLayer } from "../../../api/types";
import CASES from "../../../test/spanFaults.json";
import { LAYER } from "../../../test/spanFixtures";
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
  it.each(CASES.cases)("says what the server says: $name", ({ layer, spans, sources, faults: expected }) => {
    const codePoints = [...CASES.text];
    const words = ({ start, end }: Mark) => codePoints.slice(start, end).join("");
    const layers = CASES.layers as unknown as Record<string, SpanLayer>;
    const found = faultsOf(layers[layer] as SpanLayer, spans, words, new Set(sources));
    expect(found.map(({ kind, place, message }) => [kind, place, message])).toEqual(expected);
  });

  it("counts the places that share their words and lack the same, and joins three with “and”", () => {
    const lacks = (name: string, place: number) => ({
      kind: "missing" as const,
      place,
      message: "",
      category: "",
      lacks: { name, where: "Sentence “So.”" },
    });
    expect(faultWords([lacks("Act", 0), lacks("Act", 3)])).toEqual([
      "Sentence “So.” has no Act yet. (2 places)",
    ]);
    expect(faultWords([lacks("Act", 0), lacks("Actor", 0), lacks("Reference", 0)])).toEqual([
      "Sentence “So.” has no Act, no Actor and no Reference yet.",
    ]);
  });

  it("asks for what is mandatory in the whole text", () => {
    expect(faults([])).toEqual([["missing", null, "The text has no Sentence yet."]]);
  });

  it("has nothing against a complete sentence", () => {
    expect(faults([FIRST, ACT, mark("motive", "firms"), mark("motive", "borrow")])).toEqual([]);
  });

  it("asks each scope for its own, and names it by its words", () => {
    expect(faults([FIRST, ACT, SECOND])).toEqual([
      ["missing", 2, "Sentence “Later they met.” has no Act yet."],
    ]);
  });

  it("counts what is too many", () => {
    const again = mark("act", "wait", { comment: "x" });
    expect(faults([FIRST, ACT, again])).toEqual([
      ["too_many", 0, "Sentence “They agreed to wait so that firms…” has 2 spans of Act; at most 1 may be."],
    ]);
  });

  it("points at what lies outside its scope, or only half in it", () => {
    const half = mark("motive", "borrow. Later");
    expect(faults([FIRST, ACT, half])).toEqual([
      ["outside", 2, "Motive “borrow. Later” lies in no Sentence: it must be inside one."],
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
      ["comment_refused", 0, "Sentence “They agreed to wait so that firms…” takes no comment."],
      ["comment_missing", 1, "Act “agreed to wait” needs a comment."],
    ]);
  });

  it("asks for a link where there are sources, and only there", () => {
    const reference = mark("reference", "Later");
    const rest = [FIRST, ACT];
    expect(faults([...rest, reference])).toEqual([]);
    expect(faults([...rest, reference], ["s1"])).toEqual([
      ["source_missing", 2, "Say which source document Reference “Later” means."],
    ]);
    expect(faults([...rest, { ...reference, source: "s1" }], ["s1"])).toEqual([]);
    expect(faults([...rest, { ...reference, source: "s2" }], ["s1"])).toEqual([
      ["source_unknown", 2, "Reference “Later” links to none of the item's source documents."],
    ]);
    expect(faults([FIRST, { ...ACT, source: "s1" }], ["s1"])).toEqual([
      ["source_refused", 1, "Act “agreed to wait” may link to no source document."],
    ]);
  });

  it("knows the same span said twice, but not one with another comment", () => {
    const motive = mark("motive", "firms");
    expect(faults([FIRST, ACT, motive, motive])).toEqual([
      ["twice", 3, "Motive “firms” is marked twice: leave one out."],
    ]);
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
      "Sentence “They agreed to wait so that firms…” has no Act and no Motive yet.",
      "Sentence “Later they met.” has no Act yet.",
      "Motive “met” needs a comment.",
    ]);
  });

  it("refuses what cannot be stored", () => {
    expect(faults([FIRST, { ...ACT, comment: "a\0" }])).toEqual([
      [
        "comment_text",
        1,
        "The comment of “agreed to wait”: character 2 (U+0000) cannot be stored: take it out.",
      ],
    ]);
    expect(faults([FIRST, { ...ACT, comment: "😀" }])).toEqual([]);
  });
});
