import { describe, expect, it } from "vitest";
import { statistic } from "../../../test/agreement";
import { asQuery, choiceFrom, STANDARD } from "../choice";
import { differing, mixedLabels, mostDifferent, shownLabels } from "./confusions";
import { points, trendWords } from "./copy";
import { trendOf } from "./trend";

const at = (values: number[], weights: number[] = values.map(() => 1)) =>
  values.map((value, place) => ({ round: place + 1, value, weight: weights[place] ?? 1 }));

describe("trend", () => {
  it("fits a line and says how sure it is", () => {
    // Mean 0.6 at round 2; slope (0.9 - 0.4) / 2; residuals 0.05, -0.1, 0.05: s^2 = 0.015 / 1, over a spread of 2.
    const trend = trendOf(at([0.4, 0.5, 0.9]));
    expect(trend?.slope).toBeCloseTo(0.25, 12);
    expect(trend?.at(2)).toBeCloseTo(0.6, 12);
    // t of one degree of freedom: 12.7062 * sqrt(0.015 / 2) = 1.1004.
    expect(trend?.low).toBeCloseTo(0.25 - 1.1004, 4);
    expect(trend?.high).toBeCloseTo(0.25 + 1.1004, 4);
  });

  it("weighs a batch by its items", () => {
    // Round 4 has no item: the others lie on a line.
    expect(trendOf(at([0.5, 0.6, 0.7, 0], [10, 10, 10, 0]))?.slope).toBeCloseTo(0.1, 12);
    // Mean round (1 * 1 + 1 * 2 + 2 * 3) / 4 = 9/4, mean value (0 + 0 + 2) / 4 = 1/2; spread 25/16 + 1/16 + 18/16 =
    // 44/16; crossed 5/8 + 1/8 + 2 * 3/4 * 1/2 = 24/16.
    expect(trendOf(at([0, 0, 1], [1, 1, 2]))?.slope).toBeCloseTo(24 / 44, 12);
  });

  it("takes three batches", () => {
    expect(trendOf(at([0.4, 0.5]))).toBeNull();
    expect(trendWords(null, statistic("alpha", "α"))).toBe("A trend takes three batches with a value.");
  });

  it("says whether it stands out", () => {
    const said = (values: number[]) => trendWords(trendOf(at(values)), statistic("alpha", "α"));
    expect(said([0.4, 0.5, 0.9])).toBe(
      "No rise or fall stands out: α changes by +0.250 a round (95 % interval −0.850 to +1.350).",
    );
    expect(said([0.5, 0.6, 0.7])).toMatch(/^It rises: α changes by \+0\.100 a round/);
    expect(said([0.7, 0.6, 0.5])).toMatch(/^It falls: α changes by −0\.100 a round/);
    expect(trendWords(trendOf(at([0.5, 0.6, 0.7])), statistic("it", "It", { share_of: "all" }))).toContain(
      "+10.0 points a round",
    );
  });
});

describe("confusions", () => {
  const first = {
    pair: [2, 3],
    n: 10,
    counts: [
      [4, 2, 0],
      [1, 2, 0],
      [0, 1, 0],
    ],
  };
  const second = {
    pair: [2, 4],
    n: 9,
    counts: [
      [3, 0, 3],
      [0, 1, 0],
      [2, 0, 0],
    ],
  };

  it("puts who differs most first", () => {
    expect([differing(first), differing(second)]).toEqual([4, 5]);
    expect(mostDifferent([first, second]).map(({ pair }) => pair)).toEqual([
      [2, 4],
      [2, 3],
    ]);
  });

  it("counts labels that are taken for each other, both ways round", () => {
    expect(mixedLabels([first, second], 3)).toEqual([
      { first: 0, second: 2, n: 5, forwards: 3 },
      { first: 0, second: 1, n: 3, forwards: 2 },
      { first: 1, second: 2, n: 1, forwards: 0 },
    ]);
  });
});

it("keeps the choice in the address, and takes what makes no sense as not chosen", () => {
  const address = "view=detail&scope=majority&phase=2&stage=mp&round=2&pair=2%2C10&by=3%2C4&figure=ac1";
  const choice = choiceFrom(new URLSearchParams(address));
  expect(choice).toMatchObject({ stage: "mp", round: 2, pair: [2, 10], by: [3, 4], statistic: "ac1" });
  expect(new URLSearchParams(asQuery(choice)).toString()).toBe(address);
  expect(choiceFrom(new URLSearchParams("round=-1&pair=3,2&by=1,2,3&figure=&view=x"))).toEqual(STANDARD);
  expect(asQuery(STANDARD)).toEqual({});
});

it("writes differences of shares in points, with their sign", () => {
  expect([0.0721, -0.05, 0, 0.0001].map(points)).toEqual(["+7.2", "−5.0", "0.0", "0.0"]);
});

it("gives every label a line up to twelve, and of more those that one of a pair gave", () => {
  const counts = Array.from({ length: 56 }, () => Array.from({ length: 56 }, () => 0));
  const set = (row: number, column: number) => {
    const line = counts[row];
    if (line) line[column] = 1;
  };
  set(3, 3);
  set(7, 50);
  expect(shownLabels({ counts }, 56)).toEqual([3, 7, 50]);
  expect(shownLabels({ counts }, 12)).toHaveLength(12);
});
