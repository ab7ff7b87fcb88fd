import { describe, expect, it } from "vitest";
import type { Turn } from "../../api/types";
import { assignment, CONTEXT } from "../../test/fixtures";
import { beforeFive, levelBelow, nextLevel, rungsOf, widerOf } from "./contextLevels";

const { item } = assignment("a1");
const bare = { ...item, context: { utterance: null, minus_5_sentences: [], minus_200_tokens: [] } };

describe("the ladder", () => {
  it("opens step by step, nearest rung first, and closes the same way", () => {
    const up = [];
    for (let level = nextLevel(item, "sentence"); level; level = nextLevel(item, level)) up.push(level);
    expect(up).toEqual(["utterance", "minus_5_sentences", "minus_200_tokens"]);
    expect(levelBelow(item, "minus_200_tokens")).toBe("minus_5_sentences");
    expect(levelBelow(item, "utterance")).toBe("sentence");
    expect(levelBelow(item, "sentence")).toBe("sentence");
  });

  it("has no rungs for an item that came without context", () => {
    expect(rungsOf(bare)).toEqual([]);
    expect(nextLevel(bare, "sentence")).toBeNull();
  });

  it("remembers the widest level", () => {
    expect(widerOf("utterance", "sentence")).toBe("utterance");
    expect(widerOf("utterance", "minus_200_tokens")).toBe("minus_200_tokens");
  });
});

describe("beforeFive", () => {
  const turn = (speaker: string, text: string): Turn => ({ speaker, text });

  it("leaves the text before the five sentences, cut within a turn, exactly", () => {
    expect(beforeFive(CONTEXT.minus_200_tokens, CONTEXT.minus_5_sentences)).toEqual([
      { speaker: "CHAIR", text: "Let us begin." },
      { speaker: "MR. LINDQVIST", text: "Five percent. " },
    ]);
  });

  it("drops a turn that the five sentences show whole", () => {
    const five = [turn("B", "Two.")];
    expect(beforeFive([turn("A", "One."), turn("B", "Two.")], five)).toEqual([turn("A", "One.")]);
  });

  it("leaves nothing where the five sentences hold more than the 200 words", () => {
    expect(beforeFive([turn("B", "End of a long one.")], [turn("B", "Start. End of a long one.")])).toEqual(
      [],
    );
    expect(beforeFive([turn("B", "Two.")], [turn("A", "One."), turn("B", "Two.")])).toEqual([]);
  });

  it("gives all of it where there are no five sentences", () => {
    expect(beforeFive([turn("A", "One.")], [])).toEqual([turn("A", "One.")]);
  });

  it("says null where the two lists do not end alike", () => {
    expect(beforeFive([turn("A", "One.")], [turn("B", "One.")])).toBeNull();
    expect(beforeFive([turn("A", "One.")], [turn("A", "Two.")])).toBeNull();
    expect(
      beforeFive([turn("A", "One."), turn("B", "Two.")], [turn("A", "One."), turn("B", "Other.")]),
    ).toBeNull();
  });
});
