import { expect, it } from "vitest";
import { TALLY } from "../../test/interpretations";
import { faultLines, headlineOf, logsWords, parameterWords, tallyWords } from "./copy";
import { pieces } from "./MarkedPrefix";
import { className, confusionStem, evaluationTitle } from "./results/names";

it("tells in sentences what an evaluation leaves out", () => {
  expect(tallyWords({ ...TALLY, n_short: 1 })).toBe(
    "97 instances of 20 positives, 5 negatives each at most. " +
      "Left out of 30 spans: 8 in no class, 2 in a target that has an instance already. " +
      "Fewer negatives than that were found for 1 positive: no others are of like length. " +
      "Outside every sentence: 1 positive, with all text before as prefix.",
  );
});

it("says the main figures of each system", () => {
  const headline = [
    { name: "lead", title: "Lead", main_mean: 0.831, rouge2: 0.124 },
    { name: "oracle", title: "Oracle", main_mean: null, rouge2: null },
  ];
  expect(headlineOf({ headline })).toEqual(["Lead: 83.1 % right, ROUGE-2 12.40", "Oracle: no figure"]);
});

it("writes numbers of parameters short", () => {
  expect([950_000, 33_400_000, 247_000_000].map(parameterWords)).toEqual(["950 k", "33.4 M", "247 M"]);
});

it("says what is wrong with a marker", () => {
  const [never, again] = [
    { kind: "unopened", category: "ACT" },
    { kind: "reopened", category: "SCOPE" },
  ];
  expect(faultLines([never, again, never])).toEqual([
    "ACT ends without having begun (2 times).",
    "SCOPE begins again while it is open.",
  ]);
  expect(logsWords(-9.5, -8.25)).toEqual(["−9.50", "−8.25"]);
  expect(logsWords(-22.6841, -22.6812)).toEqual(["−22.684", "−22.681"]);
  expect(logsWords(-3.125, -3.125)).toEqual(["−3.13", "−3.13"]);
});

it("reads the markers of a prefix", () => {
  expect(pieces("[STD SENTENCE START] It [ACT_START]")).toEqual([
    { words: { text: "", at: 0 }, marker: { category: "STD SENTENCE", isStart: true } },
    { words: { text: " It ", at: 20 }, marker: { category: "ACT", isStart: true } },
    { words: { text: "", at: 35 }, marker: null },
  ]);
});

it("names classes by their name, their first member, or their number", () => {
  const asked = {
    ...{ annotation: "act", evaluation: "act", part: "words", in_depth: false },
    classes: [
      { name: "Cuts", members: ["cut"] },
      { name: "", members: ["held"] },
    ],
  };
  expect([0, 1, 2].map((number) => className(asked, number))).toEqual(["Cuts", "2. “held”", "class 3"]);
});

it("names an evaluation with its category, where the name does not have it", () => {
  expect(evaluationTitle({ annotation: "scope", evaluation: "temporal scope" })).toBe("Temporal scope");
  expect(evaluationTitle({ annotation: "motive", evaluation: "reasons" })).toBe("Motive: reasons");
  expect(evaluationTitle({ annotation: "ACT", evaluation: "act modals" })).toBe("Act modals");
});

it("finds the file of a confusion matrix", () => {
  const evaluations = ["act", "act modals (pos)"].map((evaluation) => ({
    ...{ annotation: "act", evaluation, part: "words", in_depth: false, classes: [] },
  }));
  const of = { annotation: "act", evaluation: "act modals (pos)" };
  expect(confusionStem({ evaluations }, "lead-2", of)).toBe("confusion-lead-2-1-act-modals-pos");
});
