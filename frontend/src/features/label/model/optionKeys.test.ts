import { describe, expect, it } from "vitest";
import type { StageDefinition } from "../../../api/types";
import { optionKeys, RESERVED, reopenKey } from "./optionKeys";

function stage(key: string, count: number, shortcuts: Record<number, string> = {}): StageDefinition {
  const labels = Array.from({ length: count }, (_, place) => ({
    key: `l${place}`,
    name: `Label ${place}`,
    shortcut: shortcuts[place],
  }));
  return { key, title: key, prompt: "", labels };
}

describe("optionKeys", () => {
  it("gives the top row to the question at hand and the middle row to the next", () => {
    const keys = optionKeys({ atHand: stage("a", 4), next: stage("b", 4) });
    expect(keys.get("a")).toEqual(["q", "w", "e", "r"]);
    expect(keys.get("b")).toEqual(["a", "s", "d", "f"]);
  });

  it("has a key for each of thirty options, no key twice, none that acts on the screen", () => {
    const given = optionKeys({ atHand: stage("a", 30), next: stage("b", 12) });
    const keys = [...given.values()].flat();
    expect(keys.every((key) => key !== null)).toBe(true);
    expect(new Set(keys).size).toBe(42);
    expect(keys.filter((key) => RESERVED.has(key ?? ""))).toEqual([]);
  });

  it("leaves options without a key when the keyboard has run out", () => {
    const keys = optionKeys({ atHand: stage("a", 50), next: null }).get("a");
    expect(keys?.[43]).not.toBeNull();
    expect(keys?.[44]).toBeNull();
  });

  it("takes the codebook's shortcuts where they are free", () => {
    const keys = optionKeys({ atHand: stage("a", 3, { 0: "Y", 2: "n" }), next: stage("b", 2, { 0: "y" }) });
    expect(keys.get("a")).toEqual(["y", "q", "n"]);
    expect(keys.get("b")).toEqual(["a", "s"]);
  });

  it("does not give a screen key away to a shortcut", () => {
    expect(optionKeys({ atHand: stage("a", 1, { 0: "c" }), next: null }).get("a")).toEqual(["q"]);
  });
});

describe("reopenKey", () => {
  it("counts the open stages from 1 to 9", () => {
    const none = optionKeys({ atHand: null, next: null });
    expect([0, 8, 9].map((place) => reopenKey(place, none))).toEqual(["1", "9", null]);
  });

  it("steps back where a label at hand uses the digit", () => {
    const keys = optionKeys({ atHand: stage("a", 1, { 0: "2" }), next: null });
    expect([reopenKey(0, keys), reopenKey(1, keys)]).toEqual(["1", null]);
  });
});
