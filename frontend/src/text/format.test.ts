import { describe, expect, it } from "vitest";
import { bounded, boundedPercent, coefficient, count, counted, duration, moment, percent } from "./format";

describe("numbers and times in words", () => {
  it.each([
    [0.04, "0 s"],
    [0.42, "0.4 s"],
    [9.94, "9.9 s"],
    [9.96, "10 s"],
    [118.4, "118 s"],
    [120, "2 min"],
    [125, "2 min 5 s"],
    [3600, "1 h"],
    [3_780, "1 h 3 min"],
  ])("%d seconds are %s", (seconds, words) => {
    expect(duration(seconds)).toBe(words);
  });

  it.each([
    [9 / 14, "0.64"],
    [-0.25, "−0.25"],
    [-0.004, "0.00"],
    [1, "1.00"],
  ])("the coefficient %d is %s", (value, words) => {
    expect(coefficient(value)).toBe(words);
  });

  it.each([
    [1, "1.000"],
    [1 - 2 ** -50, "1.000"],
    [0.9999999, "> 0.999"],
    [0.9996, "> 0.999"],
    [0.9994, "0.999"],
    [9 / 14, "0.643"],
    [-0.0004, "0.000"],
    [-0.9996, "< −0.999"],
    [-1, "−1.000"],
  ])("of the statistic %d, which is at most 1, is said %s", (value, words) => {
    expect(bounded(value, 3)).toBe(words);
  });

  it("says 1 and 100 % of nothing less", () => {
    expect([0.996, 0.994, 1].map((value) => bounded(value))).toEqual(["> 0.99", "0.99", "1.00"]);
    expect([0.9996, 0.9994, 1, 0].map(boundedPercent)).toEqual(["> 99.9 %", "99.9 %", "100.0 %", "0.0 %"]);
  });

  it("groups thousands and counts one as one", () => {
    expect(count(176118)).toBe("176,118");
    expect(counted(1, "batch", "batches")).toBe("1 batch");
    expect(counted(0, "batch", "batches")).toBe("0 batches");
    expect(percent(5 / 6)).toBe("83.3 %");
  });

  it("shows a moment in the project's time zone", () => {
    expect(moment("2025-11-27T23:30:00Z", "Europe/Oslo")).toBe("28 Nov 2025, 00:30");
  });
});
