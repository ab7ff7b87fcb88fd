import { describe, expect, it } from "vitest";
import { choices } from "../../test/simulations";
import {
  amountOf,
  amountWords,
  baselineShown,
  defaultSpec,
  numbers,
  partValue,
  shownBatchSizes,
  shownKeys,
  simulationBody,
  specFaults,
} from "./spec";

const CHOICES = choices();

describe("names in the results", () => {
  it("follow strategy and options, each once", () => {
    const row = { row: 1, key: "", options: {} };
    const cases = [
      { ...row, name: "cal" },
      { ...row, name: "cal", options: { k: "10" } },
      { ...row, name: "cal" },
      { ...row, name: "ngram_density", key: "mine" },
    ];
    expect(shownKeys(cases)).toEqual(["cal", "cal-k10", "cal-2", "mine"]);
  });
});

describe("numbers in a field", () => {
  it("are parted by commas or spaces", () => {
    expect(numbers("13, 14 15")).toEqual([13, 14, 15]);
    expect(numbers("13, 1.5")).toBeNull();
    expect(numbers("")).toEqual([]);
  });
});

describe("the amount of work", () => {
  it("counts runs and trainings, and the time that the last ones took", () => {
    // 700 of 1,000 labels learn: 70 items a batch, ten batches; two strategies, three seeds.
    const spec = { ...defaultSpec(CHOICES), batches: "10" };
    expect(shownBatchSizes(spec, CHOICES)).toBe("70");
    // (61 trainings of 0.5 s + 7 runs of 4 s) in two processes.
    expect(amountOf(spec, CHOICES)).toEqual({ cells: 7, trainings: 61, seconds: 29.25, unknownModel: null });
  });

  it("ends with the pool", () => {
    const spec = { ...defaultSpec(CHOICES), batchSizes: "300", seeds: "1", fullSupervision: "none" as const };
    expect(amountOf(spec, CHOICES)?.trainings).toBe(2 * 3);
  });

  it("says that a time is not known, and that it is too much", () => {
    const spec = { ...defaultSpec(CHOICES), models: ["bow-logreg", "all-MiniLM-L6-v2"] };
    const amount = amountOf(spec, CHOICES);
    expect(amount && amountWords(amount, CHOICES)).toContain("no simulation with MiniLM has been finished");
    const much = { cells: 1, trainings: 10_001, seconds: 1, unknownModel: null };
    expect(amountWords(much, CHOICES)).toContain("10,000 are the most");
  });
});

describe("what is wrong", () => {
  it("is named by the server's fields", () => {
    const spec = { ...defaultSpec(CHOICES), kind: "upload" as const, seeds: "a", batches: "1", models: [] };
    spec.cases = [{ row: 1, name: "cal", key: "a b", options: { k: "0" } }];
    const names = ["name", "train", "test", "models", "seeds", "batches"];
    expect(Object.keys(specFaults(spec, CHOICES.strategies, CHOICES)).sort()).toEqual(
      [...names, "strategies[0].key", "strategies[0].options.k"].sort(),
    );
  });
});

describe("what is sent", () => {
  it("names the stage, the options that were typed and the baseline", () => {
    const spec = { ...defaultSpec(CHOICES), name: " Mine ", share: "25" };
    spec.cases = [
      { row: 1, name: "cal", key: "", options: { k: "10" } },
      { row: 2, name: "random", key: "", options: {} },
    ];
    expect(baselineShown(spec)).toBe("random");
    expect(simulationBody(spec, CHOICES.strategies, CHOICES)).toEqual({
      name: "Mine",
      source: { kind: "stage", stage: "opinion", share: 0.25, random_state: 0 },
      strategies: [
        { key: "cal-k10", name: "cal", options: { k: 10 } },
        { key: "random", name: "random", options: {} },
      ],
      models: ["bow-logreg"],
      seeds: [13, 14, 15],
      batch_sizes: [75],
      batches: 20,
      full_supervision: "first",
      baseline: "random",
      positive_labels: [],
      parts: [],
      string_test: null,
      primary: "",
      primary_part: "",
      first_batch_in_area: true,
    });
  });

  it("reads a part's value as JSON has it, else as a text", () => {
    expect(["false", "3", '"3"', "1.5", "list ", "null"].map(partValue)).toEqual([
      false,
      3,
      "3",
      "1.5",
      "list",
      "null",
    ]);
  });

  it("names no primary comparison that is gone", () => {
    const spec = {
      ...defaultSpec(CHOICES),
      kind: "upload" as const,
      primary: "entropy",
      primaryPart: "real",
    };
    spec.parts = [{ row: 1, key: "real ", field: "silver", value: "false" }];
    Object.assign(spec, {
      missing: "NA,",
      phrases: "bank rate\n\nprice",
      phraseLabel: "yes",
      otherLabel: "no",
    });
    const body = simulationBody(spec, CHOICES.strategies, CHOICES);
    expect(body).toMatchObject({
      source: { kind: "upload", missing: "NA," },
      parts: [{ key: "real", field: "silver", value: false }],
      string_test: { phrases: ["bank rate", "price"], label: "yes", otherwise: "no" },
      primary: "entropy",
      primary_part: "real",
    });
    const own = simulationBody({ ...spec, kind: "stage" }, CHOICES.strategies, CHOICES);
    expect(own).toMatchObject({ primary: "entropy", primary_part: "", parts: [] });
    const swapped = simulationBody({ ...spec, baseline: "entropy" }, CHOICES.strategies, CHOICES);
    expect(swapped).toMatchObject({ primary: "", primary_part: "" });
  });
});
