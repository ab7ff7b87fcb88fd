import { describe, expect, it } from "vitest";
import { CURVES, DONE, STUDY, simulation } from "../../test/simulations";
import {
  blindCaveat,
  blindScore,
  coinciding,
  nowWords,
  progressWords,
  reachedWords,
  sameOrderCaveat,
  seedsCaveat,
  seedsWords,
  shownClasses,
  winnerOf,
} from "./copy";
import { partialStudies } from "./curves";

describe("progress", () => {
  it("says what is done and how long is left", () => {
    // 30 s for 30 %: 70 s for the rest.
    expect(progressWords(simulation())).toBe("3 of 9 trainings, about 70 s left");
    expect(progressWords(DONE)).toBe("9 of 9 trainings");
  });

  it("names the runs at work", () => {
    expect(nowWords(simulation().progress.detail)).toBe(
      "Now: entropy with bow-logreg, batches of 50, seed 1.",
    );
    expect(nowWords("0 of 9 batches; full-supervision__bow__b0__s1 running")).toBe(
      "Now: full supervision with bow, seed 1.",
    );
    expect(nowWords("Rounds go first: it goes on after the round.")).toContain("Rounds go first");
    expect(nowWords("9 of 9 batches; no cell running")).toBe("");
  });

  it("draws the seeds that are through, else the one begun", () => {
    const [study] = partialStudies(simulation(), CURVES);
    expect(study?.series.map(({ label }) => label)).toEqual([
      "random (1 of 2 seeds)",
      "entropy (seed 1, so far)",
    ]);
    expect(study?.series[0]?.points).toEqual([
      { x: 50, y: 0.6 },
      { x: 100, y: 0.7 },
    ]);
  });
});

describe("results in words", () => {
  it("count seeds and compare with the baseline", () => {
    expect(reachedWords(STUDY.strategies.entropy?.labels_to_reach["90"])).toBe("100 (2 of 2), 0.50x");
    expect(reachedWords(STUDY.strategies.random?.labels_to_reach["90"])).toBe("not reached (1 of 2)");
    const [difference] = STUDY.differences;
    expect(difference && seedsWords({ ...difference, n_higher: 1, n_equal: 0 })).toBe("1 / 0 / 1");
    expect(winnerOf(STUDY)?.label).toBe("entropy");
  });

  it("say what few seeds allow", () => {
    expect(seedsCaveat(5)).toMatch(/Up to five seeds.*all 5 seeds.*once in 16 times/);
    expect(seedsCaveat(1)).toContain("One seed says nothing about chance");
  });

  it("say what a model that knows nothing reaches", () => {
    // 140 of 200 say no: F1 of no = 2 * 140 / 340, of yes 0.
    const { texts } = simulation();
    expect(blindScore(texts)).toEqual({ label: "no", macroF1: expect.closeTo(140 / 340, 12) });
    const summary = {
      full_supervision: { bow: DONE.summary?.full_supervision["bow-logreg"] ?? null },
      studies: [],
    };
    expect(blindCaveat({ texts }, summary)).toBe(
      "A model that always says “no” has a macro-F1 of 0.412 on this test set.",
    );
    const one = { ...texts, test: { n: 200, class_counts: { no: 200 } } };
    expect(blindCaveat({ texts: one }, summary)).toContain("no order of strategies can be read");
  });

  it("say where strategies are the same", () => {
    const same = {
      ...STUDY,
      strategies: { ...STUDY.strategies, again: STUDY.strategies.entropy },
    } as typeof STUDY;
    expect(coinciding(STUDY)).toEqual([]);
    expect(coinciding(same)).toEqual(["The curves of entropy, again coincide in every seed."]);
    expect(sameOrderCaveat({ same_order: ["entropy", "lc"] })).toContain("entropy, lc");
    expect(sameOrderCaveat({ same_order: [] })).toBe("");
  });

  it("draw the share of the positive labels, else the second of two", () => {
    const { config, texts } = simulation();
    expect(shownClasses({ config, texts })).toEqual(["yes"]);
    expect(shownClasses({ config: { ...config, positive_labels: ["no"] }, texts })).toEqual(["no"]);
    expect(shownClasses({ config: { ...config, positive_labels: [] }, texts })).toEqual(["yes"]);
  });
});
