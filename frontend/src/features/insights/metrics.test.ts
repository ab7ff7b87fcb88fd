import { expect, it } from "vitest";
import { liftWords, perHundred, signalNumber } from "../../activeLearning/insightFormat";
import { BLIND, ENTROPY, makeInsights, PROTOTYPE, RANDOM } from "../../test/insights";
import {
  classParts,
  classStacks,
  HELD_OUT,
  learningCurve,
  newestWith,
  TRAINING,
  yieldReference,
} from "./metrics";

it("keeps held-out and training figures apart, and leaves out what was not measured", () => {
  const curve = learningCurve([RANDOM, ENTROPY, BLIND]);
  expect(curve.map(({ label, points }) => [label, points])).toEqual([
    [HELD_OUT, [{ x: 144, y: 0.714 }]],
    [
      TRAINING,
      [
        { x: 144, y: 0.97 },
        { x: 289, y: 0.97 },
      ],
    ],
  ]);
  expect(learningCurve([RANDOM])).toEqual([]);
});

it("stacks positive labels first and no majority last, whatever the order of the counts", () => {
  const names = new Map([
    ["no", "No"],
    ["yes", "Yes"],
  ]);
  const shown = classParts(makeInsights({ batches: [RANDOM] }), names);
  expect(shown.map(({ label }) => label)).toEqual(["Yes (positive)", "No", "ambiguous", "no majority"]);
  expect(classStacks([RANDOM, BLIND]).map(({ label }) => label)).toEqual(["Round 1"]);
});

it("puts the baseline on the scale of the points", () => {
  const baseline = {
    source: "prototype" as const,
    batch: 1,
    positives: 37,
    n: 146,
    share: 0.25,
    low: 0.2,
    high: 0.3,
  };
  const insights = makeInsights({ batches: [PROTOTYPE, RANDOM], baseline });
  expect(yieldReference(insights, "items")).toEqual({ label: "prototype batch 1", y: 25, low: 20, high: 30 });
  expect(yieldReference(insights, "annotations")?.y).toBeCloseTo(8.22, 2);
  expect(yieldReference({ ...insights, baseline: null }, "items")).toBeUndefined();
});

it("scales the Wilson limits to single answers: 0.19 of 146 items with 450 answers is 6.16 per 100", () => {
  expect(perHundred(RANDOM.positives).low).toBeCloseTo(6.164, 3);
  expect(perHundred(BLIND.positives)).toEqual({ y: null, low: null, high: null });
});

it("says a lift without an interval where a share is zero", () => {
  const none = { ...ENTROPY.positives, lift: 0, lift_low: null, lift_high: null };
  expect(liftWords(none)).toBe("0.00");
});

it("writes numbers of signals by their size", () => {
  expect([0, 150, 0.95, 0.00004].map(signalNumber)).toEqual(["0", "150", "0.950", "4.0e−5"]);
});

it("finds the newest batch that has something", () => {
  expect(newestWith([RANDOM, ENTROPY, BLIND], ({ held_out }) => held_out)?.batch.number).toBe(2);
  expect(newestWith([RANDOM], ({ held_out }) => held_out)).toBeUndefined();
});
