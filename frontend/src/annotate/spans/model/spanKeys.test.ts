import { expect, it } from "vitest";
import type { SpanLayer } from "../../../api/types";
import { LAYER } from "../../../test/spanFixtures";
import { categoryId, spanKeys } from "./spanKeys";

const [first, second] = LAYER.categories;
const layer: SpanLayer = {
  ...LAYER,
  categories: [
    { ...(first as SpanLayer["categories"][number]), key: "act", shortcut: "a" },
    { ...(second as SpanLayer["categories"][number]), key: "motive", shortcut: "k" },
  ],
};

it("gives a category its own key, and to nothing else a key that the person gave away", () => {
  const plain = spanKeys(layer);
  expect([plain.categories.get("act"), plain.categories.get("motive"), plain.commands.next]).toEqual([
    "a",
    "k",
    "n",
  ]);
  const given = spanKeys(layer, { [categoryId("act")]: "n", skip: "k" });
  expect([given.categories.get("act"), given.categories.get("motive"), given.commands.next]).toEqual([
    "n",
    "1",
    "shift+n",
  ]);
});
