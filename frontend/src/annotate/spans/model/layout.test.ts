import { describe, expect, it } from "vitest";
import { below, seeded, someText } from "../../../test/random";
import { placeInLanes } from "./lanes";
import { layOut, NO_LAYOUT } from "./layout";
import { segmentsOf, spansAt } from "./segments";
import { blockAt, textModel } from "./textModel";
import type { Drawn } from "./types";

function drawn(id: number, start: number, end: number): Drawn {
  return { id, start, end, category: "a" };
}

function someSpans(random: () => number, length: number, most: number): Drawn[] {
  return Array.from({ length: length > 0 ? below(random, most) : 0 }, (_, id) => {
    const start = below(random, length);
    return drawn(id, start, start + 1 + below(random, Math.min(length - start, 40)));
  });
}

describe("blocks", () => {
  it("are the lines of a text, each with its break", () => {
    const { blocks } = textModel("one\r\n\r\ntwo 😀\nthree");
    expect(blocks.map(({ start, end }) => [start, end])).toEqual([
      [0, 5],
      [5, 7],
      [7, 13],
      [13, 18],
    ]);
    expect(blocks[3]).toMatchObject({ from: 14, to: 19 });
  });

  it("cut a very long line behind a sentence", () => {
    const sentence = "The committee met for a long time. ";
    const model = textModel(sentence.repeat(200));
    expect(model.blocks.length).toBeGreaterThan(3);
    for (const { from, to } of model.blocks) {
      expect(to - from).toBeLessThanOrEqual(2_000);
      expect(model.text.slice(from, to).startsWith("The committee")).toBe(true);
    }
  });

  it("leave nothing out and say nothing twice, for any text", () => {
    const random = seeded(2);
    for (let round = 0; round < 100; round += 1) {
      const model = textModel(someText(random, 3_000));
      expect(model.blocks.map(({ from, to }) => model.text.slice(from, to)).join("")).toBe(model.text);
      expect(model.blocks.at(-1)?.end ?? 0).toBe(model.points.length);
    }
  });

  it("are found by a place in them; the text's end is in the last", () => {
    const model = textModel("one\ntwo");
    expect([0, 3, 4, 7].map((point) => blockAt(model, point))).toEqual([0, 0, 1, 1]);
    expect(blockAt(textModel(""), 0)).toBe(0);
  });
});

describe("lanes", () => {
  it("give the field's nested, crossing and identical spans one each", () => {
    const [a, b, c, d] = [drawn(1, 0, 30), drawn(2, 5, 12), drawn(3, 20, 40), drawn(4, 0, 30)];
    const placed = placeInLanes([a, b, c, d], new Map());
    expect([1, 2, 3, 4].map((id) => placed.get(id)?.lane)).toEqual([0, 2, 2, 1]);
  });

  it("never hold two spans over one character, for any spans", () => {
    const random = seeded(3);
    for (let round = 0; round < 200; round += 1) {
      const placed = [...placeInLanes(someSpans(random, 100, 40), new Map()).values()];
      for (let point = 0; point < 100; point += 1) {
        const lanes = spansAt(placed, point).map(({ lane }) => lane);
        expect(new Set(lanes).size).toBe(lanes.length);
      }
    }
  });
});

describe("segments", () => {
  it("cut at every end, and know what begins and ends", () => {
    const model = textModel("abcdef");
    const { byBlock } = layOut(model, [drawn(1, 1, 4), drawn(2, 3, 6)], NO_LAYOUT);
    const [block] = model.blocks;
    const segments = block ? segmentsOf(model, block, byBlock[0] ?? []) : [];
    expect(
      segments.map(({ text, spans, begins, ends }) => [
        text,
        spans.map(({ id }) => id),
        begins.map(({ id }) => id),
        [...ends],
      ]),
    ).toEqual([
      ["a", [], [], []],
      ["bc", [1], [1], []],
      ["d", [1, 2], [2], [1]],
      ["ef", [2], [], [2]],
    ]);
  });

  it("say the text exactly, whatever is marked in whatever text", () => {
    const random = seeded(5);
    for (let round = 0; round < 150; round += 1) {
      const model = textModel(someText(random, 300));
      const spans = someSpans(random, model.points.length, 30);
      const { byBlock } = layOut(model, spans, NO_LAYOUT);
      const said = model.blocks.flatMap((block, at) => segmentsOf(model, block, byBlock[at] ?? []));
      expect(said.map(({ text }) => text).join("")).toBe(model.text);
      for (const span of spans) {
        const words = said.filter((segment) => segment.spans.some(({ id }) => id === span.id));
        expect(words.map(({ text }) => text).join("")).toBe(model.points.slice(span.start, span.end));
        expect(said.filter(({ begins }) => begins.some(({ id }) => id === span.id))).toHaveLength(1);
      }
    }
  });
});

describe("a change", () => {
  it("leaves the blocks that it does not touch as they were", () => {
    const model = textModel("one line\n".repeat(50));
    const spans = Array.from({ length: 50 }, (_, at) => drawn(at, at * 9, at * 9 + 3));
    const before = layOut(model, spans, NO_LAYOUT);
    const after = layOut(model, [...spans, drawn(99, 92, 101)], before);
    const changed = after.byBlock.flatMap((list, at) => (list === before.byBlock[at] ? [] : [at]));
    expect(changed).toEqual([10, 11]);
  });
});

describe("clicks", () => {
  it("reach the innermost first", () => {
    const there = spansAt([drawn(1, 0, 30), drawn(2, 5, 12), drawn(3, 8, 40), drawn(4, 13, 20)], 9);
    expect(there.map(({ id }) => id)).toEqual([2, 1, 3]);
  });
});
