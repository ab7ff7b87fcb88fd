import { expect, it } from "vitest";
import { safeNext, signInPath } from "./session";

it.each([
  "https://elsewhere.example",
  "//elsewhere.example",
  "/\\elsewhere.example",
  "javascript:x",
  "",
  null,
])("does not lead to %s after the sign-in", (next) => {
  expect(safeNext(next)).toBe("/");
});

it("leads back to the page that asked for the sign-in", () => {
  const path = "/projects/p1/label?x=1";
  const { searchParams } = new URL(signInPath(path), "http://here");
  expect(safeNext(searchParams.get("next"))).toBe(path);
});
