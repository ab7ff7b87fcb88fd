import { describe, expect, it } from "vitest";
import { choices } from "../../../test/evaluation";
import { defaultSpec, specBody, specFaults, trialBody } from "./spec";

const CHOICES = choices();
const SPEC = {
  ...defaultSpec(CHOICES),
  ...{ name: " Mine ", stages: ["opinion", "mp_context"], systems: ["majority", "small"] },
};

describe("the form of an evaluation", () => {
  it("begins with no choice of stages and the baseline", () => {
    const { stages, systems, gold } = defaultSpec(CHOICES);
    expect({ stages, systems, gold }).toEqual({
      stages: null,
      systems: ["majority"],
      gold: "labels",
    });
  });

  it("names the version of each chosen stage's prompt, the newest unless another was chosen", () => {
    const body = specBody({ ...SPEC, stages: ["opinion"], prompts: { opinion: 1, mp_context: 0 } }, CHOICES);
    expect(body.prompts).toEqual({ opinion: 1 });
    expect(specBody(SPEC, CHOICES).prompts).toEqual({ opinion: 2, mp_context: 0 });
  });

  it("takes the gold labels of a release by its number", () => {
    expect(specBody({ ...SPEC, gold: "release 12" }, CHOICES).gold).toEqual({ kind: "release", number: 12 });
  });

  it("tries language models alone, on five items, and nothing of the pool", () => {
    const body = trialBody({ ...SPEC, pool: "500" }, CHOICES);
    expect(body).toMatchObject({ name: "Trial: small", systems: ["small"], limit: 5, pool: 0, batch: null });
  });

  it("says what is missing or out of its limits, before anything is sent", () => {
    expect(specFaults(SPEC, CHOICES, false)).toEqual({});
    const odd = { ...SPEC, name: " ", stages: [], systems: [], folds: "1", pool: "10001", seed: "1.5" };
    expect(Object.keys(specFaults(odd, CHOICES, false)).sort()).toEqual([
      ...["folds", "name", "pool", "seed", "stages", "systems"],
    ]);
    expect(specFaults({ ...SPEC, systems: [] }, CHOICES, true)).toEqual({});
  });
});
