import { expect, it } from "vitest";
import type { SpanLayer } from "../../../api/types";
import { categoryWords } from "./rulesInWords";

it("needs no article before the name of a category", () => {
  const category = {
    ...{ key: "actor", name: "Actor", color: "blue", help: "", examples: [] },
    ...{ at_least: 0, at_most: null, within: "act", comment: "none", refers: false },
  };
  const layer = { target: null, categories: [{ ...category, key: "act", name: "Act" }, category] };
  expect(categoryWords(category as never, layer as unknown as SpanLayer)).toBe(
    "Any number in every Act; marked only inside spans of Act; no comment.",
  );
});
