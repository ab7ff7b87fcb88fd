import { describe, expect, it } from "vitest";
import type { StageDefinition } from "../../api/types";
import { STAGES } from "../../test/fixtures";
import { FILTER_KEY } from "./filtering";
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
  it("gives each question of a codebook neighbouring keys of its own", () => {
    expect([...optionKeys(STAGES).values()].map((keys) => keys.join(""))).toEqual([
      "qwe",
      "asd",
      "zvbn",
      "rtyu",
      "fgjk",
    ]);
  });

  it("has a key for each of thirty options, no key twice, none that acts on the screen", () => {
    const keys = [...optionKeys([stage("a", 30), stage("b", 12)]).values()].flat();
    expect(keys.every((key) => key !== null)).toBe(true);
    expect(new Set(keys).size).toBe(42);
    expect(keys.filter((key) => RESERVED.has(key ?? "") || key === FILTER_KEY)).toEqual([]);
  });

  it("leaves options of a long question without a key, and none of a short one after it", () => {
    const keys = optionKeys([stage("a", 300), stage("b", 3)]);
    expect(keys.get("b")).toEqual(["q", "w", "e"]);
    expect(keys.get("a")?.filter((key) => key !== null)).toHaveLength(40);
  });

  it("gives keys a second time only where a codebook has more short questions than keys", () => {
    const stages = Array.from({ length: 20 }, (_, place) => stage(`s${place}`, 5));
    const keys = [...optionKeys(stages).values()];
    expect(keys.flat().every((key) => key !== null)).toBe(true);
    for (const [place, own] of keys.entries()) {
      const next = keys[place + 1] ?? [];
      expect(own.filter((key) => next.includes(key))).toEqual([]);
    }
  });

  it("takes the codebook's shortcuts where they are free", () => {
    const keys = optionKeys([stage("a", 3, { 0: "Y", 2: "n" }), stage("b", 2, { 0: "y" })]);
    expect(keys.get("a")).toEqual(["y", "q", "n"]);
    expect(keys.get("b")).toEqual(["a", "s"]);
  });

  it("gives a later question's own shortcut to nobody else", () => {
    expect(optionKeys([stage("a", 2), stage("b", 1, { 0: "q" })]).get("a")).toEqual(["w", "e"]);
  });

  it("does not give a screen key away to a shortcut", () => {
    expect(optionKeys([stage("a", 1, { 0: "c" })]).get("a")).toEqual(["q"]);
  });
});

describe("reopenKey", () => {
  it("counts the open stages from 1 to 9", () => {
    expect([0, 8, 9].map((place) => reopenKey(place, optionKeys([])))).toEqual(["1", "9", null]);
  });

  it("steps back where a label uses the digit", () => {
    const keys = optionKeys([stage("a", 1, { 0: "2" })]);
    expect([reopenKey(0, keys), reopenKey(1, keys)]).toEqual(["1", null]);
  });
});
