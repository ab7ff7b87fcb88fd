import { describe, expect, it } from "vitest";
import type { CodebookDefinition, LabelStage } from "../../api/types";
import { changesBetween } from "./changes";

/** The same cases as tests/codebook/test_codebook_compatibility.py: the server judges, this only foretells. */
function stage(key: string, part: Partial<LabelStage> = {}): LabelStage {
  const labels = [
    { key: "yes", name: "Yes" },
    { key: "no", name: "No" },
  ];
  return { key, title: key, prompt: `${key}?`, labels, ...part };
}

const ONE = stage("one", { positive: ["yes"] });
const TWO = stage("two", { open_when: { stage: "one", in: ["yes"] } });
const PARTS = [
  { stage: "one", in: ["yes"] },
  { stage: "two", answered: true as const },
];
const THREE = stage("three", { scale: "ordinal", open_when: { all: PARTS } });
const OLD = book();

function book(part: Partial<CodebookDefinition> = {}, ...stages: LabelStage[]): CodebookDefinition {
  return {
    name: "Three",
    guidelines: "Read.",
    stages: stages.length > 0 ? stages : [ONE, TWO, THREE],
    learning: { stage: "one" },
    ...part,
  };
}

const YES_ONLY = [{ key: "yes", name: "Yes" }];
const BACKWARDS = [...ONE.labels].reverse();

describe("changes between versions", () => {
  it.each<[string, CodebookDefinition, string, string]>([
    ["a prompt", book({}, { ...ONE, prompt: "What now?" }, TWO, THREE), "stages.one.prompt", "changed"],
    [
      "a label's name",
      book({}, ONE, { ...TWO, labels: [{ key: "yes", name: "Yes!" }, ...TWO.labels.slice(1)] }, THREE),
      "stages.two.labels.yes.name",
      "changed",
    ],
    [
      "a new label",
      book({}, ONE, { ...TWO, labels: [...TWO.labels, { key: "maybe", name: "Maybe" }] }, THREE),
      "stages.two.labels.maybe",
      "label added",
    ],
    [
      "order, nominal",
      book({}, ONE, { ...TWO, labels: BACKWARDS }, THREE),
      "stages.two.labels",
      "order changed",
    ],
    [
      "positives",
      book({}, { ...ONE, positive: ["no"] }, TWO, THREE),
      "stages.one.positive",
      "positive labels changed",
    ],
    ["optional", book({}, ONE, { ...TWO, required: false }, THREE), "stages.two.required", "became optional"],
    ["guidelines", book({ guidelines: "" }), "guidelines", "changed"],
    ["learning", book({ learning: { stage: "two" } }), "learning.stage", "changed from one to two"],
    [
      "an optional stage",
      book({}, ONE, TWO, THREE, stage("four", { required: false })),
      "stages.four",
      "optional stage added",
    ],
  ])("calls %s compatible", (_, next, path, words) => {
    expect(changesBetween(OLD, next)).toEqual([{ path, words, breaking: false }]);
  });

  it.each<[string, CodebookDefinition, string[]]>([
    ["a removed label", book({}, ONE, { ...TWO, labels: YES_ONLY }, THREE), ["stages.two.labels.no"]],
    ["a scale", book({}, ONE, { ...TWO, scale: "ordinal" }, THREE), ["stages.two.scale"]],
    ["a lost condition", book({}, ONE, { ...TWO, open_when: null }, THREE), ["stages.two.open_when"]],
    [
      "a wider condition",
      book({}, ONE, { ...TWO, open_when: { stage: "one", in: ["yes", "no"] } }, THREE),
      ["stages.two.open_when"],
    ],
    ["any for all", book({}, ONE, TWO, { ...THREE, open_when: { any: PARTS } }), ["stages.three.open_when"]],
    ["order, ordinal", book({}, ONE, TWO, { ...THREE, labels: BACKWARDS }), ["stages.three.labels"]],
    ["a removed stage", book({}, ONE, TWO), ["stages.three"]],
    ["a required stage", book({}, ONE, TWO, THREE, stage("four")), ["stages.four"]],
    ["a renamed key", book({}, ONE, TWO, { ...THREE, key: "third" }), ["stages.three", "stages.third"]],
  ])("calls %s breaking", (_, next, paths) => {
    const breaking = changesBetween(OLD, next).filter((change) => change.breaking);
    expect(breaking.map((change) => change.path)).toEqual(paths);
  });

  it("calls a stage that becomes required breaking", () => {
    const old = book({}, ONE, { ...TWO, required: false }, THREE);
    expect(changesBetween(old, OLD)).toEqual([
      { path: "stages.two.required", words: "became required", breaking: true },
    ]);
  });

  it("sees no change in the order of a condition's parts, nor in defaults written out", () => {
    const turned = { ...THREE, open_when: { all: [...PARTS].reverse() } };
    expect(
      changesBetween(OLD, book({}, { ...ONE, required: true, scale: "nominal", help: "" }, TWO, turned)),
    ).toEqual([]);
  });
});
