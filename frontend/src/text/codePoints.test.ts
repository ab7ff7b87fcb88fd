import { describe, expect, it } from "vitest";
import { seeded, someText } from "../test/random";
import {
  graphemeAfter,
  graphemeBefore,
  isRightToLeft,
  wordEndAfter,
  wordEndBefore,
  wordStartAfter,
  wordStartBefore,
} from "./boundaries";
import { CodePoints } from "./codePoints";

const SCIENTIST = "Nice 👩‍🔬 work 🎉 but the grant was cut";

describe("code points", () => {
  it("counts as Python does: the field's first case", () => {
    const points = new CodePoints(SCIENTIST);
    expect(points.length).toBe(37);
    expect(points.slice(24, 29)).toBe("grant");
    expect(points.toUnits(24)).toBe(27);
    expect(points.toPoint(27)).toBe(24);
    expect(points.toPoint(32)).toBe(29);
  });

  it("counts carriage returns, double spaces and tabs: the field's second case", () => {
    const plain = new CodePoints("First point.\r\n\r\nSecond point: costs rise.");
    expect(plain.slice(30, 40)).toBe("costs rise");
    const wide = new CodePoints("First\tpoint.  \r\n\r\nSecond point: costs rise.");
    expect(wide.slice(32, 42)).toBe("costs rise");
  });

  it("takes a place inside a pair of surrogates for the pair's start", () => {
    expect(new CodePoints("a😀b").toPoint(2)).toBe(1);
  });

  it("agrees with the string's own code points, for any text", () => {
    const random = seeded(4);
    for (let round = 0; round < 300; round += 1) {
      const text = someText(random, 60);
      const letters = [...text];
      const points = new CodePoints(text);
      expect(points.length).toBe(letters.length);
      for (let point = 0; point <= letters.length; point += 1) {
        expect(points.toUnits(point)).toBe(letters.slice(0, point).join("").length);
        expect(points.toPoint(points.toUnits(point))).toBe(point);
      }
    }
  });
});

describe("steps", () => {
  it("goes over a joined emoji, a combining mark and CR LF in one step", () => {
    expect(graphemeAfter(SCIENTIST, 5)).toBe(10);
    expect(graphemeBefore(SCIENTIST, 10)).toBe(5);
    expect(graphemeAfter("e\u0301a", 0)).toBe(2);
    expect(graphemeBefore("ab\r\nc", 4)).toBe(2);
  });

  it("goes back through a long row of flags in step with where it begins", () => {
    const flags = "🇩🇪".repeat(300);
    expect(graphemeBefore(flags, flags.length)).toBe(flags.length - 4);
  });

  it("goes over a character that is longer than what is looked at first", () => {
    const stack = `a${"\u0301".repeat(700)}`;
    expect(graphemeAfter(stack, 0)).toBe(701);
    expect(graphemeBefore(`x${stack}`, 702)).toBe(1);
  });

  it("goes to a word's end and back to its start", () => {
    const text = "  costs, prices  rise.";
    expect(wordEndAfter(text, 0)).toBe(7);
    expect(wordEndAfter(text, 7)).toBe(15);
    expect(wordEndAfter(text, 21)).toBe(text.length);
    expect(wordStartBefore(text, 17)).toBe(9);
    expect(wordStartBefore(text, 9)).toBe(2);
    expect(wordStartBefore(text, 2)).toBe(0);
  });

  it("goes to the next word's start and back to the end of the one before", () => {
    const text = "  costs, prices  rise.";
    expect(wordStartAfter(text, 0)).toBe(2);
    expect(wordStartAfter(text, 2)).toBe(9);
    expect(wordStartAfter(text, 4)).toBe(9);
    expect(wordStartAfter(text, 17)).toBe(text.length);
    expect(wordEndBefore(text, text.length)).toBe(21);
    expect(wordEndBefore(text, 21)).toBe(15);
    expect(wordEndBefore(text, 19)).toBe(15);
    expect(wordEndBefore(text, 7)).toBe(0);
    expect(wordStartAfter("عاد الولد", 0)).toBe(4);
  });

  it("walks any text once over, forward and back, through the same places", () => {
    const random = seeded(11);
    for (let round = 0; round < 100; round += 1) {
      const text = someText(random, 400);
      const forward = [0];
      for (let at = 0; at < text.length; forward.push(at)) at = graphemeAfter(text, at);
      const back = [text.length];
      for (let at = text.length; at > 0; back.push(at)) at = graphemeBefore(text, at);
      expect(back.reverse()).toEqual(forward);
    }
  });

  it("knows the direction by the first letter", () => {
    expect(isRightToLeft("12 שלום world")).toBe(true);
    expect(isRightToLeft("world שלום")).toBe(false);
    expect(isRightToLeft("12, 13")).toBe(false);
  });
});
