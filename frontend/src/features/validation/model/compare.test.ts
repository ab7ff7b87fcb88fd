import { describe, expect, it } from "vitest";
import type { SpanOut } from "../../../api/types";
import { type Compared, compareAll, summaryOf } from "./compare";

/** "The board eased in May." */
function span(start: number, end: number, category: string, over: Partial<SpanOut> = {}): SpanOut {
  return { start, end, quote: "", category, comment: null, source: null, ...over };
}

function words(...annotations: SpanOut[][]): Record<string, string[]> {
  const compared = lettered(annotations);
  const found = compareAll(compared, (key) => key.toUpperCase());
  return Object.fromEntries(
    [...found].map(([letter, marks]) => [letter, marks.map((mark) => `${mark.likeness}: ${mark.words}`)]),
  );
}

function lettered(annotations: SpanOut[][]): Compared[] {
  return annotations.map((spans, place) => ({ letter: "ABCDE".charAt(place), spans }));
}

describe("spans side by side", () => {
  it("says what all have, what some have, and what only one has", () => {
    const [board, may, eased] = [span(4, 9, "actor"), span(19, 22, "scope"), span(10, 15, "act")];
    expect(words([board, eased, may], [board, may], [board])).toEqual({
      A: ["all: all", "only: only A", "some: only A and B"],
      B: ["all: all", "some: only A and B"],
      C: ["all: all"],
    });
  });

  it("says where another comment or source was given", () => {
    expect(
      words(
        [span(4, 9, "actor", { comment: "the Fed" }), span(0, 3, "reference", { source: "s1" })],
        [span(4, 9, "actor"), span(0, 3, "reference", { source: "s2" })],
        [span(4, 9, "actor", { comment: "the Fed" }), span(0, 3, "reference", { source: "s1" })],
      ),
    ).toEqual({
      A: ["told: another comment in B", "told: another source in B"],
      B: ["told: another comment in A and C", "told: another source in A and C"],
      C: ["told: another comment in B", "told: another source in B"],
    });
  });

  it("says what stands there in its place", () => {
    expect(
      words([span(4, 9, "actor"), span(10, 15, "act")], [span(4, 9, "scope"), span(10, 22, "act")]),
    ).toEqual({
      A: ["only: only A; B: SCOPE here", "only: only A; B: other ends"],
      B: ["only: only B; A: ACTOR here", "only: only B; A: other ends"],
    });
  });

  it("does not call neighbours near", () => {
    expect(words([span(4, 9, "act")], [span(9, 12, "act")])).toEqual({
      A: ["only: only A"],
      B: ["only: only B"],
    });
  });

  it("knows the same range and category more than once", () => {
    const twice = [span(4, 9, "act", { comment: "x" }), span(4, 9, "act", { comment: "y" })];
    expect(words(twice, [span(4, 9, "act", { comment: "y" })])).toEqual({
      A: ["told: another comment in B", "all: both"],
      B: ["all: both"],
    });
  });

  it("says nothing of one that stands alone", () => {
    expect(words([span(4, 9, "act")])).toEqual({});
  });

  it("counts each span once", () => {
    const [board, may] = [span(4, 9, "actor"), span(19, 22, "scope")];
    expect(summaryOf(lettered([[board, may], [board], [board, span(0, 3, "act")]]))).toEqual({
      common: 1,
      different: 2,
    });
  });
});
