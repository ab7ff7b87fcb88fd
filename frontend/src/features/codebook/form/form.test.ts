import { describe, expect, it } from "vitest";
import type { CodebookDefinition, Condition } from "../../../api/types";
import { conditionOf, groupOf } from "./conditions";
import { keyFor, moved, relabelled, retyped, stageRekeyed, stageRemoved } from "./edits";
import { formable } from "./shape";

const CODEBOOK: CodebookDefinition = {
  name: "Policy",
  stages: [
    {
      key: "opinion",
      title: "Opinion",
      prompt: "Opinion?",
      labels: [
        { key: "yes", name: "Yes" },
        { key: "no", name: "No" },
      ],
      positive: ["yes"],
    },
    { key: "about", title: "About", prompt: "About?", type: "text" },
    {
      key: "strength",
      title: "Strength",
      prompt: "How strong?",
      type: "scale",
      low: 1,
      high: 3,
      open_when: { all: [{ stage: "opinion", in: ["yes"] }, { any: [{ stage: "about", answered: true }] }] },
    },
  ],
  learning: { stage: "opinion", exclude: ["no"] },
};

describe("edits of a definition", () => {
  it("move within a list, and not beyond its ends", () => {
    expect(moved(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
    expect(moved(["a", "b", "c"], 0, 1)).toEqual(["b", "a", "c"]);
    expect(moved(["a", "b"], 1, 2)).toEqual(["a", "b"]);
  });

  it.each([
    ["Strongly agree", [], "strongly_agree"],
    ["Größe (2)", [], "gro_e_2"],
    ["2nd", [], "nd"],
    ["第二", [], "label"],
    ["Yes", ["yes", "yes_2"], "yes_3"],
  ])("make a key of %s", (name, taken, key) => {
    expect(keyFor(name, taken, "label")).toBe(key);
  });

  it("carry a stage's new key to conditions and the learning", () => {
    const changed = stageRekeyed(CODEBOOK, 0, "view");
    expect(changed.stages[0]?.key).toBe("view");
    expect(changed.learning).toEqual({ stage: "view", exclude: ["no"] });
    expect(changed.stages[2]?.open_when).toEqual({
      all: [{ stage: "view", in: ["yes"] }, { any: [{ stage: "about", answered: true }] }],
    });
  });

  it("take a removed stage out of conditions, with groups that it leaves empty", () => {
    const withoutText = stageRemoved(CODEBOOK, 1);
    expect(withoutText.stages[1]?.open_when).toEqual({ all: [{ stage: "opinion", in: ["yes"] }] });
    const withoutOpinion = stageRemoved(withoutText, 0);
    expect(withoutOpinion.stages[0]?.open_when).toBeNull();
    expect(withoutOpinion.learning).toBeNull();
  });

  it("carry a label's new key along, and forget one that is gone", () => {
    const [yes, no] = CODEBOOK.stages[0] && "labels" in CODEBOOK.stages[0] ? CODEBOOK.stages[0].labels : [];
    if (!yes || !no) throw new Error("the codebook has two labels");
    const renamed = relabelled(CODEBOOK, 0, [{ ...yes, key: "aye" }, no], (key) =>
      key === "yes" ? "aye" : key,
    );
    expect(renamed.stages[0]).toMatchObject({ positive: ["aye"] });
    expect(renamed.stages[2]?.open_when).toEqual({
      all: [{ stage: "opinion", in: ["aye"] }, { any: [{ stage: "about", answered: true }] }],
    });
    const gone = relabelled(CODEBOOK, 0, [yes], (key) => (key === "no" ? null : key));
    expect(gone.learning).toEqual({ stage: "opinion", exclude: [] });
  });

  it("change a question's type and keep what both types have", () => {
    const several = retyped(CODEBOOK.stages[0] as CodebookDefinition["stages"][number], "several");
    expect(several).toEqual({
      key: "opinion",
      title: "Opinion",
      prompt: "Opinion?",
      type: "several",
      labels: [
        { key: "yes", name: "Yes" },
        { key: "no", name: "No" },
      ],
    });
    expect(retyped(CODEBOOK.stages[2] as CodebookDefinition["stages"][number], "label")).toMatchObject({
      labels: [{ key: "point_1" }, { key: "point_2" }, { key: "point_3" }],
    });
  });
});

describe("conditions as groups of lines", () => {
  const opinion: Condition = { stage: "a", in: ["x", "y"] };
  const answered: Condition = { stage: "b", answered: true };
  const conditions: (Condition | null)[] = [
    null,
    answered,
    { all: [opinion, answered] },
    { any: [opinion, { stage: "b", in: ["z"] }] },
    { all: [opinion, { any: [answered, { all: [opinion, answered] }] }] },
  ];

  it.each(conditions)("come back as they were: %j", (condition) => {
    expect(conditionOf(groupOf(condition))).toEqual(condition);
  });

  it("leave out a group that has lost its parts, and one around a single part", () => {
    const line = { stage: "a", labels: null };
    const empty = { join: "any" as const, parts: [] };
    expect(conditionOf({ join: "all", parts: [line, empty] })).toEqual({ stage: "a", answered: true });
    expect(conditionOf({ join: "all", parts: [empty] })).toBeNull();
  });
});

it("shows what has the right shape, and nothing else", () => {
  expect(formable(CODEBOOK)).toBe(CODEBOOK);
  for (const wrong of [
    null,
    [],
    { name: 1, stages: [] },
    { name: "A", stages: [{ key: "a", title: "A", prompt: "A?" }] },
    { name: "A", stages: [{ key: "a", title: "A", prompt: "A?", type: "image" }] },
    { name: "A", stages: [], span_layer: { categories: {} } },
  ])
    expect(formable(wrong)).toBeNull();
});
