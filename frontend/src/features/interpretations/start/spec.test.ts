import { describe, expect, it } from "vitest";
import { choices } from "../../../test/interpretations";
import { completed, defaultSpec, shownTitles, specBody, specFaults, withFilter, withKind } from "./spec";

const CHOICES = choices();
const SPEC = { ...completed(defaultSpec(CHOICES), CHOICES), name: "Mine" };
const [SYSTEM] = SPEC.systems as [(typeof SPEC.systems)[number]];

describe("the form", () => {
  it("begins with one small pretrained model, Lead, and every evaluation that can be used", () => {
    expect(specFaults(SPEC, CHOICES)).toEqual({});
    expect(specBody(SPEC, CHOICES)).toEqual({
      ...{ name: "Mine", data: "current", evaluations: ["v1"], seed: 0, split: "test", prefix: "sentence" },
      systems: [
        {
          ...{ title: "BERT: MiniLM, Lead", kind: "bert", model: "minilm", filter: "lead", filter_model: "" },
          ...{ budget: 512, augment: 0, max_epochs: null },
        },
      ],
      generation: { beams: 5, min_tokens: 50, max_tokens: 500, limit: 0 },
      ...{ bertscore: "", rules: "paper", replace_positive: false },
      training: { learning_rate: null, schedule: "paper", patience: 1, batch_size: 4 },
    });
  });

  it("takes a model that fits the kind, and an encoder for FilterBERT alone", () => {
    expect(withKind(CHOICES, SYSTEM, "transformer").model).toBe("minilm");
    expect(withKind(CHOICES, SYSTEM, "bart").model).toBe("bart-base");
    const learned = withFilter(CHOICES, SYSTEM, "filterbert");
    expect(learned.filterModel).toBe("minilm");
    expect(withFilter(CHOICES, learned, "oracle").filterModel).toBe("");
  });

  it("names systems by what they are made of, and no two alike", () => {
    const systems = [
      SYSTEM,
      { ...SYSTEM, row: 2 },
      { ...SYSTEM, row: 3, filter: "oracle", budget: "256", augment: "2" },
    ];
    expect(shownTitles(CHOICES, systems)).toEqual([
      "BERT: MiniLM, Lead",
      "BERT: MiniLM, Lead (2)",
      "BERT: MiniLM, Oracle, 256 tokens, augmented",
    ]);
  });

  it("says each fault at its place", () => {
    const systems = [
      { ...SYSTEM, title: "A", budget: "8", augment: "1", kind: "bart", model: "bart-base" },
      { ...SYSTEM, row: 2, title: "A", maxEpochs: "0" },
    ];
    const wrong = {
      ...SPEC,
      name: " ",
      systems,
      evaluations: [],
      minTokens: "600",
      beams: "x",
      data: "release:1",
    };
    expect(specFaults(wrong, CHOICES)).toEqual({
      name: ["Give it a name, to find it again."],
      data: ["It has no test target."],
      "generation.beams": ["Write a whole number from 1 to 10."],
      "generation.min_tokens": ["The least must not be above the most."],
      "systems[0].budget": ["Write a whole number from 16 to 4096."],
      "systems[0].model": ["not downloaded"],
      "systems[0].augment": ["Choose an evaluation that is not in depth: its classes give the new targets."],
      "systems[1].title": ["Another system already has this title."],
      "systems[1].max_epochs": ["Write a whole number from 1 to 100."],
    });
  });

  it("leaves out what is offered no more", () => {
    const kept = {
      ...defaultSpec(CHOICES),
      evaluations: ["v1", "gone", "v2"],
      bertscore: "gone",
      data: "release:9",
    };
    expect(completed(kept, CHOICES)).toMatchObject({ evaluations: ["v1"], bertscore: "", data: "current" });
  });
});
