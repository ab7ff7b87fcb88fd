import { describe, expect, it } from "vitest";
import { below, seeded, someText } from "../../../test/random";
import { snapped } from "./snap";
import { textModel } from "./textModel";

function words(text: string, part: string, direction: "on" | "back" = "on"): string {
  const model = textModel(text);
  const start = [...text.slice(0, text.indexOf(part))].length;
  const end = start + [...part].length;
  const { anchor, head } = snapped(
    model,
    direction === "on" ? { anchor: start, head: end } : { anchor: end, head: start },
  );
  expect(anchor < head).toBe(direction === "on");
  return model.points.slice(Math.min(anchor, head), Math.max(anchor, head));
}

describe("snapped", () => {
  it.each([
    [
      "We should tighten again, without repeating it.",
      "ighten again, without repea",
      "tighten again, without repeating",
    ],
    ["We should tighten again.", "tighten", "tighten"],
    ["We don’t know.", "on’", "don’t"],
    ["It is 3.5 percent.", ".5 per", "3.5 percent"],
    ["Стоит поднять ставку.", "тоит подн", "Стоит поднять"],
    ["يجب رفع سعر الفائدة", "فع سع", "رفع سعر"],
    // Words without blanks between them, by the browser's dictionary.
    ["東京都は会議を開く。", "議を開", "会議を開く"],
    ["ประเทศไทยขึ้นดอกเบี้ย", "ไท", "ประเทศไทย"],
    // What is seen as one character is never cut.
    ["Fine 👩‍🔬 it is", "🔬", "👩‍🔬"],
  ])("of %s, %s becomes %s", (text, part, expected) => {
    expect(words(text, part)).toBe(expected);
    expect(words(text, part, "back")).toBe(expected);
  });

  it("leaves a caret where it is", () => {
    expect(snapped(textModel("tighten"), { anchor: 3, head: 3 })).toEqual({ anchor: 3, head: 3 });
  });

  it("never shrinks a selection, ends between words whatever the text, and changes nothing the second time", () => {
    const random = seeded(20_261);
    const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
    for (let round = 0; round < 400; round += 1) {
      const text = someText(random, 30);
      const model = textModel(text);
      const { length } = model.points;
      const [anchor, head] = [below(random, length + 1), below(random, length + 1)];
      const found = snapped(model, { anchor, head });
      const [start, end] = [Math.min(found.anchor, found.head), Math.max(found.anchor, found.head)];
      expect(start).toBeLessThanOrEqual(Math.min(anchor, head));
      expect(end).toBeGreaterThanOrEqual(Math.max(anchor, head));
      expect(snapped(model, found)).toEqual(found);
      if (anchor === head) continue;
      const edges = new Set(
        model.blocks.flatMap(({ from, to }) => [
          ...[...segmenter.segment(text.slice(from, to))].map(({ index }) => from + index),
          to,
        ]),
      );
      expect([edges.has(model.points.toUnits(start)), edges.has(model.points.toUnits(end))]).toEqual([
        true,
        true,
      ]);
    }
  });
});
