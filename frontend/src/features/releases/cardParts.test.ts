import { expect, it } from "vitest";
import { DETAIL } from "../../test/releases";
import { cardParts } from "./cardParts";
import { loadingSnippet } from "./snippet";

it("parts the YAML head from the card, where there is one", () => {
  expect(cardParts("---\na: 1\nb: 2\n---\n# T\n---\nx")).toEqual({ head: "a: 1\nb: 2", body: "# T\n---\nx" });
  expect(cardParts("# T\n---\nx\n---\n")).toEqual({ head: null, body: "# T\n---\nx\n---\n" });
});

it("loads the configurations that the release has", () => {
  expect(loadingSnippet(DETAIL)).toBe(
    `from datasets import load_dataset

folder = "committee-stance-release-1"  # the unpacked ZIP
aggregated = load_dataset(folder, "aggregated", split="train")  # one label an item and stage
annotations = load_dataset(folder, "annotations", split="train")  # what each annotator said
`,
  );
});

it("loads the factoids of each text set, under a name that Python takes", () => {
  const file = { bytes: 10, sha256: "d".repeat(64) };
  const files = [
    { ...file, path: "data/aggregated.jsonl", lines: 0 },
    { ...file, path: "factoids/2026-ferry/texts.jsonl", lines: 3 },
    { ...file, path: "factoids/2026-ferry/factoids.jsonl", lines: 7 },
    { ...file, path: "factoids/flood/factoids.jsonl", lines: 0 },
    { ...file, path: "factoids/flood/lists/version-1.json", lines: null },
  ];
  expect(loadingSnippet({ filename: "board-release-1.zip", files })).toBe(
    `from datasets import load_dataset

folder = "board-release-1"  # the unpacked ZIP
factoids_2026_ferry = load_dataset(folder, "2026-ferry-factoids", split="train")  # factoids of each list
`,
  );
});
