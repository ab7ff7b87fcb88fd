import { describe, expect, it } from "vitest";
import { PROJECT } from "../test/admin";
import { CODEBOOK, page, round, SCORING } from "../test/rounds";
import { dateNumber, defaultSpec, isFirstBatch, rangeWords, roundBody, specFaults } from "./roundSpec";
import { strategyWords } from "./roundState";

const TODAY = new Date(2025, 10, 27);

function defaults(shown = page(), project = {}) {
  return defaultSpec(shown, { ...PROJECT, ...project }, CODEBOOK.definition, TODAY);
}

describe("a round whose items an admin chose", () => {
  const chosen = round({ strategy_asked: "chosen", strategy_used: "chosen", model: "none", query_size: 3 });

  it("leaves the first draw to chance, and gives no defaults", () => {
    expect(isFirstBatch(page({ rounds: [chosen] }))).toBe(true);
    expect(defaults(page({ rounds: [chosen] })).querySize).toBe("150");
    expect(strategyWords([], chosen)).toBe("Chosen by an admin");
  });
});

describe("the start form's defaults", () => {
  it("are the date as random_state, 150 items, and the first model that is here", () => {
    expect(defaults()).toMatchObject({
      querySize: "150",
      randomState: "20251127",
      model: "all-MiniLM-L6-v2",
      labelPhase: "1",
      useAdjudicated: false,
      learningStages: ["opinion"],
      annotators: ["m2", "m3", "m4", "m5"],
    });
    expect(dateNumber(new Date(2026, 0, 5))).toBe("20260105");
  });

  it("never ask for more than budget and pool have left, nor for none", () => {
    expect(defaults(page(), { annotation_budget: 200, budget_spent: 120 }).querySize).toBe("80");
    expect(defaults(page(), { annotation_budget: null, pool_left: 40, budget_spent: 0 }).querySize).toBe(
      "40",
    );
    expect(defaults(page(), { annotation_budget: 200, budget_spent: 200 }).querySize).toBe("1");
  });

  it("go on from the last round that opened a batch, not from one that failed on its model", () => {
    const away = "answerdotai/ModernBERT-base";
    const failed = { ...SCORING, number: 3, state: "cancelled" as const, model: away, query_size: 500 };
    const opened = round({ number: 2, query_size: 60, model: "all-MiniLM-L6-v2" });
    expect(defaults(page({ rounds: [failed, opened] }))).toMatchObject({
      querySize: "60",
      model: "all-MiniLM-L6-v2",
    });
    expect(defaults(page({ rounds: [{ ...opened, model: away }] })).model).toBe("all-MiniLM-L6-v2");
  });
});

describe("what is typed", () => {
  const cal = page().strategies.find(({ name }) => name === "cal");

  it.each([
    ["0", true],
    ["10001", true],
    ["2.5", true],
    ["many", true],
    ["25", false],
  ])("k = %s is a fault: %s", (k, fault) => {
    const faults = specFaults({ ...defaults(), options: { k } }, cal, CODEBOOK.definition);
    expect("options.k" in faults).toBe(fault);
  });

  it("is sent as the types that the options declare", () => {
    if (!cal) throw new Error("the example declares no cal");
    const body = roundBody(
      { ...defaults(), strategy: "cal", options: { k: "25", preset: "cal_authors" } },
      cal,
    );
    expect(body.options).toEqual({ k: 25, preset: "cal_authors" });
  });

  it("needs somebody to annotate", () => {
    const { definition } = CODEBOOK;
    expect(specFaults({ ...defaults(), annotators: [] }, undefined, definition)).toHaveProperty("annotators");
  });

  it("says a range in words", () => {
    expect(rangeWords({ minimum: 1, maximum: null })).toBe(" of 1 or more");
    expect(rangeWords({ minimum: null, maximum: null })).toBe("");
  });
});
