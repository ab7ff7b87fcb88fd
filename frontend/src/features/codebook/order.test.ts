import { expect, it } from "vitest";
import { inReadingOrder } from "./order";

it("puts keys in the order in which people write them, and changes nothing else", () => {
  const kept = {
    learning: { exclude: ["b"], stage: "one" },
    stages: [{ help: "", labels: [{ name: "Yes", key: "yes", mine: null }], key: "one", open_when: null }],
    name: "N",
  };
  const ordered = inReadingOrder(kept);
  expect(ordered).toEqual(kept);
  expect(JSON.stringify(ordered)).toBe(
    '{"name":"N","stages":[{"key":"one","help":"","open_when":null,"labels":[{"key":"yes","name":"Yes","mine":null}]}],' +
      '"learning":{"stage":"one","exclude":["b"]}}',
  );
});
