import { describe, expect, it } from "vitest";
import type { CodebookDefinition, SpanCategory, SpanLayer } from "../../api/types";
import { LAYER } from "../../test/spanFixtures";
import { changesBetween } from "./changes";

function book(span_layer?: SpanLayer, over: Partial<CodebookDefinition> = {}): CodebookDefinition {
  return { name: "Spans", stages: [], span_layer, ...over };
}

function withAct(part: Partial<SpanCategory>): CodebookDefinition {
  const categories = LAYER.categories.map((each) => (each.key === "act" ? { ...each, ...part } : each));
  return book({ ...LAYER, categories });
}

const ACT = "span_layer.categories.act";
const OPTIONAL: SpanLayer = {
  target: null,
  categories: LAYER.categories.slice(2).map((each) => ({ ...each, within: null })),
};

/** As tests of annotation_app/codebook/span_compatibility.py: the server judges, this only foretells. */
describe("changes of a span layer", () => {
  it.each<[string, CodebookDefinition, CodebookDefinition, string, string, boolean]>([
    ["a name", book(LAYER), withAct({ name: "Deed" }), `${ACT}.name`, "changed", false],
    [
      "a looser count",
      book(LAYER),
      withAct({ at_most: null }),
      `${ACT}.at_most`,
      "changed from 1 to none",
      false,
    ],
    [
      "a narrower count",
      withAct({ at_most: null }),
      book(LAYER),
      `${ACT}.at_most`,
      "changed from none to 1",
      true,
    ],
    [
      "more needed",
      book(LAYER),
      withAct({ at_least: 2, at_most: 1 }),
      `${ACT}.at_least`,
      "changed from 1 to 2",
      true,
    ],
    [
      "a looser comment",
      book(LAYER),
      withAct({ comment: "optional" }),
      `${ACT}.comment`,
      "changed from required to optional",
      false,
    ],
    [
      "a refused comment",
      book(LAYER),
      withAct({ comment: "none" }),
      `${ACT}.comment`,
      "changed from required to none",
      true,
    ],
    [
      "no scope",
      book(LAYER),
      withAct({ within: null }),
      `${ACT}.within`,
      "changed from sentence to none",
      false,
    ],
    ["a link", book(LAYER), withAct({ refers: true }), `${ACT}.refers`, "spans link to a source", true],
    [
      "a target",
      book(LAYER),
      book({ ...LAYER, target: null }),
      "span_layer.target",
      "changed from sentence to none",
      false,
    ],
    ["a layer that asks", book(), book(LAYER), "span_layer", "added", true],
    ["a layer that asks nothing", book(), book(OPTIONAL), "span_layer", "added", false],
    ["no layer any more", book(LAYER), book(), "span_layer", "removed", true],
    ["learning", book(), book(undefined, { learning: { stage: "one" } }), "learning", "added", false],
  ])("judges %s", (_, old, next, path, words, breaking) => {
    expect(changesBetween(old, next)).toEqual([{ path, words, breaking }]);
  });

  it("judges categories that come and go", () => {
    const fewer = book({ ...LAYER, categories: LAYER.categories.filter(({ key }) => key !== "act") });
    expect(changesBetween(book(LAYER), fewer)).toEqual([
      { path: ACT, words: "category removed", breaking: true },
    ]);
    expect(changesBetween(fewer, book(LAYER))).toEqual([
      { path: ACT, words: "mandatory category added", breaking: true },
    ]);
  });
});
