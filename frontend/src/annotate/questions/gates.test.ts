import { describe, expect, it } from "vitest";
import type { Condition, StageDefinition } from "../../api/types";
import { STAGES } from "../../test/fixtures";
import { missingStages, openAnswers, openStages } from "./gates";

const open = (answers: Record<string, string>) => openStages(STAGES, answers).map((stage) => stage.key);

describe("openStages", () => {
  it.each([
    [{}, ["opinion"]],
    [{ opinion: "no" }, ["opinion"]],
    [{ opinion: "ambiguous" }, ["opinion"]],
    [{ opinion: "yes" }, ["opinion", "mp"]],
    [{ opinion: "yes", mp: "no" }, ["opinion", "mp"]],
    [{ opinion: "yes", mp: "yes" }, ["opinion", "mp", "mp_context", "stance"]],
    [
      { opinion: "yes", mp: "yes", stance: "ambiguous" },
      ["opinion", "mp", "mp_context", "stance", "stance_context"],
    ],
  ])("opens the stages that %o opens", (answers, expected) => {
    expect(open(answers)).toEqual(expected);
  });

  it("does not count the answer to a closed stage", () => {
    expect(open({ opinion: "no", mp: "yes", stance: "neutral" })).toEqual(["opinion"]);
  });

  it("does not count an answer that is not a label of its stage", () => {
    expect(open({ opinion: "Yes" })).toEqual(["opinion"]);
    expect(open({ opinion: "yes", mp: "yes", stance: "later" })).not.toContain("stance_context");
  });

  it("is not fooled by names that every object has", () => {
    const stages: StageDefinition[] = [
      { key: "constructor", title: "", prompt: "", labels: [{ key: "a", name: "A" }] },
      { key: "b", title: "", prompt: "", open_when: { stage: "constructor", answered: true }, labels: [] },
    ];
    expect(openStages(stages, {}).map((stage) => stage.key)).toEqual(["constructor"]);
  });

  it("reads any-of and nested conditions", () => {
    const condition: Condition = {
      any: [
        { stage: "opinion", in: ["ambiguous"] },
        { all: [{ stage: "opinion", in: ["yes"] }, { any: [{ stage: "mp", answered: true }] }] },
      ],
    };
    const stages = [...STAGES.slice(0, 2), { ...(STAGES[2] as StageDefinition), open_when: condition }];
    const isOpen = (answers: Record<string, string>) =>
      openStages(stages, answers).some((stage) => stage.key === "mp_context");
    expect(isOpen({ opinion: "ambiguous" })).toBe(true);
    expect(isOpen({ opinion: "yes" })).toBe(false);
    expect(isOpen({ opinion: "yes", mp: "no" })).toBe(true);
    expect(isOpen({ opinion: "no", mp: "no" })).toBe(false);
  });

  it("holds an empty all-of open and an empty any-of closed, as the server does", () => {
    const with_ = (open_when: Condition) => [{ ...(STAGES[0] as StageDefinition), open_when }];
    expect(openStages(with_({ all: [] }), {})).toHaveLength(1);
    expect(openStages(with_({ any: [] }), {})).toHaveLength(0);
  });
});

describe("openAnswers", () => {
  it("keeps the answers that count, in the codebook's order", () => {
    const answers = { mp: "yes", stance_context: "sentence", opinion: "yes" };
    expect(Object.entries(openAnswers(STAGES, answers))).toEqual([
      ["opinion", "yes"],
      ["mp", "yes"],
    ]);
  });
});

describe("missingStages", () => {
  it("names open required stages without an answer", () => {
    const missing = missingStages(STAGES, { opinion: "yes", mp: "yes" }).map((stage) => stage.key);
    expect(missing).toEqual(["mp_context", "stance"]);
  });

  it("passes over optional stages", () => {
    const stages = STAGES.map((stage) => ({ ...stage, required: stage.key !== "mp" }));
    expect(missingStages(stages, { opinion: "yes" })).toEqual([]);
  });
});
