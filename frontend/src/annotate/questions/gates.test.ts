import { describe, expect, it } from "vitest";
import type { Condition, StageDefinition } from "../../api/types";
import { STAGES } from "../../test/fixtures";
import SHARED from "../../test/gates.json";
import { asksForContext } from "../copy";
import { missingStages, openAnswers, openStages } from "./gates";

const STAGES_BY_NAME = SHARED.stages as unknown as Record<string, StageDefinition[]>;
const keys = (stages: StageDefinition[]) => stages.map(({ key }) => key);

describe("gates", () => {
  it.each(SHARED.cases)("open what the server opens: $name", ({ stages, answers, ...expected }) => {
    const asked = STAGES_BY_NAME[stages] ?? [];
    const given = answers as Record<string, string>;
    expect(keys(openStages(asked, given))).toEqual(expected.open);
    expect(openAnswers(asked, given)).toEqual(expected.counted);
    expect(keys(missingStages(asked, given))).toEqual(expected.missing);
  });

  it("hold an empty all-of open and an empty any-of closed", () => {
    const with_ = (open_when: Condition) => [{ ...(STAGES[0] as StageDefinition), open_when }];
    expect(openStages(with_({ all: [] }), {})).toHaveLength(1);
    expect(openStages(with_({ any: [] }), {})).toHaveLength(0);
  });

  it("keep answers in the codebook's order", () => {
    const answers = { mp: "yes", stance_context: "sentence", opinion: "yes" };
    expect(Object.keys(openAnswers(STAGES, answers))).toEqual(["opinion", "mp"]);
  });
});

it.each(SHARED.asks_for_context)("a stage with the labels $labels asks for context: $asks", (case_) => {
  const labels = case_.labels.map((key) => ({ key, name: key }));
  expect(asksForContext({ key: "context", title: "", prompt: "", labels })).toBe(case_.asks);
});
