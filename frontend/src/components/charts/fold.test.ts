import { expect, it } from "vitest";
import { folded } from "./fold";
import type { Part, Stack } from "./model";

const parts = (n: number): Part[] =>
  Array.from({ length: n }, (_, place) => ({ key: `t${place}`, label: `Topic ${place}` }));

it("leaves up to six parts as they are", () => {
  const few = parts(6);
  const stacks = [{ label: "round 1", values: { t0: 1 } }];
  expect(folded(few, stacks)).toEqual({ parts: few, stacks });
});

it("draws the five largest over all stacks in their order, the others as one, and keeps what is quiet", () => {
  const all: Part[] = [...parts(56), { key: "none", label: "no majority", tone: "quiet" }];
  const stacks: Stack[] = [
    { label: "round 1", values: { t50: 0.3, t3: 0.2, t9: 0.1, none: 0.1, t1: 0.02, t2: 0.02, t4: 0.02 } },
    { label: "round 2", values: { t55: 0.4, t1: 0.1, t2: 0.1, t4: 0.1, t5: 0.01, t6: 0.02 } },
  ];
  const found = folded(all, stacks);
  expect(found.parts.map(({ label }) => label)).toEqual([
    ...["Topic 1", "Topic 2", "Topic 3", "Topic 50", "Topic 55"],
    ...["51 others", "no majority"],
  ]);
  expect(found.stacks[0]?.values.other).toBeCloseTo(0.12);
  expect(found.stacks[1]?.values.other).toBeCloseTo(0.13);
  expect(found.stacks[0]?.values.none).toBe(0.1);
});
