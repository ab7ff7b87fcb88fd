import { expect, it } from "vitest";
import { progressWords } from "./progress";

it.each([
  [null, "Nothing is assigned to you at the moment."],
  [
    { done: 0, total: 0, batch_number: null, withdrawn: 0, state: "none" },
    "Nothing is assigned to you at the moment.",
  ],
  [
    { done: 12, total: 30, batch_number: 2, withdrawn: 0, state: "ok" },
    "12 of 30 done in batch 2, 18 to go.",
  ],
  [
    { done: 30, total: 30, batch_number: 2, withdrawn: 0, state: "waiting" },
    "You are done with batch 2 (30 of 30). Waiting for others.",
  ],
  [
    { done: 30, total: 30, batch_number: 2, withdrawn: 0, state: "finished" },
    "Batch done: all 30 of batch 2 are answered.",
  ],
  [
    { done: 7, total: 7, batch_number: 1, withdrawn: 5, state: "finished" },
    "Batch done: you answered 7 of batch 1. 5 more were taken back, or went to somebody else.",
  ],
  [
    { done: 7, total: 7, batch_number: 1, withdrawn: 1, state: "waiting" },
    "You are done with batch 1 (7 of 7). 1 more was taken back, or went to somebody else. Waiting for others.",
  ],
] as const)("says %o in words", (my_progress, words) => {
  expect(progressWords({ my_progress, may: ["rate"], has_spans: true })).toBe(words);
});

it("says to an adjudicator where the work is", () => {
  const words = (has_spans: boolean) => progressWords({ my_progress: null, may: ["resolve"], has_spans });
  expect(words(true)).toBe(
    "Nothing is assigned to you to label. Items to validate are listed in the project.",
  );
  expect(words(false)).toContain("Disagreements to decide are listed in the project.");
});
