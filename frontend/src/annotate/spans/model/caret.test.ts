import { describe, expect, it } from "vitest";
import { stepped } from "./caret";
import { textModel } from "./textModel";

describe("a step by the paragraph", () => {
  const ends = (text: string, point: number) => {
    const model = textModel(text);
    return [stepped(model, point, "paragraph", "back"), stepped(model, point, "paragraph", "on")];
  };

  it("leads to its start, and to before its break", () => {
    expect(ends("One.\r\nTwo 🎉!\n", 2)).toEqual([0, 4]);
    expect(ends("One.\r\nTwo 🎉!\n", 6)).toEqual([6, 12]);
    expect(ends("\nTwo", 0)).toEqual([0, 0]);
    expect(ends("\nTwo", 4)).toEqual([1, 4]);
  });

  it("is of the last paragraph behind the text's last break, where the caret is seen", () => {
    expect(ends("One.\nTwo.\n", 10)).toEqual([5, 9]);
    expect(ends("One.\r\n", 6)).toEqual([0, 4]);
  });

  it("leads over a whole paragraph, however many blocks it is drawn in", () => {
    const long = "word ".repeat(1_000);
    expect(textModel(long).blocks.length).toBeGreaterThan(1);
    expect(ends(long, 4_321)).toEqual([0, 5_000]);
  });
});
