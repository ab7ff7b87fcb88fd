import { expect, it } from "vitest";
import { RESERVED } from "../../annotate/questions/optionKeys";
import type { CodebookDefinition, SpanCategory } from "../../api/types";
import { FREE } from "../../test/spanFixtures";
import { keyClashes } from "./keyClashes";

const [CATEGORY] = FREE.categories as [SpanCategory];

function definition(category: string | null, label: string | null): CodebookDefinition {
  const labels = [{ key: "yes", name: "Yes", shortcut: label }];
  return {
    name: "Both",
    stages: [{ key: "opinion", title: "Opinion", prompt: "", labels }],
    span_layer: { target: null, categories: [{ ...CATEGORY, name: "Act", shortcut: category }] },
  };
}

it("names each key that the screen keeps, and what holds instead", () => {
  expect(keyClashes(definition("X", "h"))).toEqual([
    "Act: “x” skips the item there, so its key is “1”.",
    "Yes of Opinion: “h” shows the help there, so it gets the next free letter.",
  ]);
});

it("names a label's key that the spans have", () => {
  expect(keyClashes(definition("a", "a"))).toEqual([
    "Yes of Opinion: “a” is a key of the spans there, so it gets the next free letter.",
  ]);
  expect(keyClashes(definition(null, "n"))).toHaveLength(1);
});

it("says nothing of keys that hold", () => {
  expect(keyClashes(definition("a", "y"))).toEqual([]);
  expect(keyClashes({ name: "None", stages: [] })).toEqual([]);
});

it("knows a word for every key that the whole screen keeps", () => {
  for (const key of RESERVED) expect(keyClashes(definition(key, null))[0]).not.toContain("undefined");
});
