import { describe, expect, it } from "vitest";
import { locate } from "./locate";

const TEXT = `{
  "name": "a \\"quoted\\" } name",
  "stages": [
    {"key": "one", "labels": [{"key": "yes"}, {"key": "no", "n": -1.5}]},
    {"key": "two 🎉"}
  ]
}`;

function found(path: string): string {
  const place = locate(TEXT, path);
  return place ? `${place.line}: ${TEXT.slice(place.start, place.end)}` : "nowhere";
}

describe("the place of a path in JSON", () => {
  it.each([
    ["name", '2: "a \\"quoted\\" } name"'],
    ["stages[0].labels[1].key", '4: "no"'],
    ["stages[0].labels[1].n", "4: -1.5"],
    ["stages[1].key", '5: "two 🎉"'],
    ["stages[1]", '5: {"key": "two 🎉"}'],
  ])("finds %s", (path, expected) => {
    expect(found(path)).toBe(expected);
  });

  it("finds what lies around a key that is missing", () => {
    expect(found("stages[1].labels")).toBe('5: {"key": "two 🎉"}');
    expect(found("learning")).toBe(`1: ${TEXT}`);
  });

  it("finds nothing in what is not JSON", () => {
    expect(locate('{"a": ', "a")).toBeNull();
  });
});
