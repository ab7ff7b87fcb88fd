import { expect, it } from "vitest";
import { labelsFound } from "./filtering";

const LABELS = [
  { key: "t001", name: "Énergie et climat", help: "Also health of forests." },
  { key: "t002", name: "Health" },
  { key: "t010", name: "Straße" },
];
const found = (sought: string) => labelsFound(LABELS, sought).map(({ key }) => key);

it("finds by name, key and help, names first", () => {
  expect(found("health")).toEqual(["t002", "t001"]);
  expect(found("T01")).toEqual(["t010"]);
  expect(found("climat energie")).toEqual(["t001"]);
  expect(found("nothing of it")).toEqual([]);
});

it("leaves all as they are where nothing is sought", () => {
  expect(found("  ")).toEqual(["t001", "t002", "t010"]);
});
