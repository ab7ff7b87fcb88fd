import { expect, it } from "vitest";
import { naturally } from "./natural";

it("compares numbers in ids as numbers", () => {
  const ids = ["F10", "F9.21", "F2", "F9.3", "P1"].map((id) => ({ id }));
  expect(ids.sort(naturally).map(({ id }) => id)).toEqual(["F2", "F9.3", "F9.21", "F10", "P1"]);
});
