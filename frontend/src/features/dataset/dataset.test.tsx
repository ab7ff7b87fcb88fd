import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import type { Dataset } from "./api";
import { Component } from "./index";
import { mean, spread } from "./tables";

const PATH = "GET /api/projects/p1/span-dataset/";

const PAPER: Dataset = {
  of: "validated",
  random_state: 0,
  splits: [
    { split: "train", sources: 1342, targets: 3246, mean_targets: 3246 / 1342, max_targets: 36 },
    { split: "valid", sources: 167, targets: 364, mean_targets: 364 / 167, max_targets: 17 },
    { split: "test", sources: 0, targets: 0, mean_targets: null, max_targets: null },
    { split: "all", sources: 1509, targets: 3610, mean_targets: 3610 / 1509, max_targets: 36 },
  ],
  lengths: [
    {
      what: "sentences",
      sources: { n: 1678, mean: 262.6, sd: 688.6, population_sd: 688.4 },
      targets: { n: 3990, mean: 1.6, sd: 0.93, population_sd: 0.92 },
    },
    { what: "markers", sources: null, targets: { n: 3990, mean: 18.2, sd: null, population_sd: null } },
  ],
  counts: [{ key: "act", name: "=Act", count: { n: 3990, mean: 1.6, sd: 0.93, population_sd: 0.92 } }],
  closed_correctly: { n: 3990, mean: 1, sd: 0, population_sd: 0 },
  notes: ["Spans that reach beyond their target's sentences and are clipped to them: 3."],
  missing: ["8 of 9 items given out are validated; only these are counted."],
  splitter: { name: "blank", version: "3.8", spacy: "3.8" },
};

const table = (name: string) => within(screen.getByRole("group", { name })).getByRole("table");
const row = (name: string, first: string) =>
  within(within(table(name)).getByRole("rowheader", { name: first }).closest("tr") as HTMLElement)
    .getAllByRole("cell")
    .map((cell) => cell.textContent);
const csv = (title: string) =>
  decodeURIComponent(
    (screen.getByRole("link", { name: `Download CSV: ${title}` }).getAttribute("href") ?? "").replace(
      /^[^,]*,/,
      "",
    ),
  ).split("\r\n");

describe("dataset", () => {
  it("shows the three tables with what they count and lack", async () => {
    serve({ [PATH]: PAPER });
    const { container } = renderScreen(Component);
    expect(await screen.findByText(/8 of 9 items/)).toBeVisible();
    expect(screen.getByText(/clipped to them: 3/)).toBeVisible();
    const splits = "Sources and targets by split";
    expect(row(splits, "Training")).toEqual(["1,342", "3,246", "2.42", "36"]);
    expect(row(splits, "Validation")).toEqual(["167", "364", "2.18", "17"]);
    expect(row(splits, "Test")).toEqual(["0", "0", "–", "–"]);
    const lengths = "Length of sources and targets";
    expect(row(lengths, "Sentences")).toEqual(["262.6 (± 688.6; 688.4)", "1.60 (± 0.93; 0.92)"]);
    expect(row(lengths, "Start and end markers")).toEqual(["–", "18.20"]);
    expect(row("Categories in a target", "=Act")).toEqual(["1.60 (± 0.93; 0.92)", "3,990"]);
    expect(row("Categories in a target", "Closed correctly")).toEqual(["100.0 %", "3,990"]);
    await expectAccessible(container);
  });

  it("gives each table as CSV, in full and with no cell that a spreadsheet runs", async () => {
    serve({ [PATH]: PAPER });
    renderScreen(Component);
    await screen.findByText(/8 of 9 items/);
    expect(csv("Sources and targets by split")[1]).toBe(`validated,0,train,1342,3246,${3246 / 1342},36`);
    expect(csv("Sources and targets by split")[3]).toBe("validated,0,test,0,0,,");
    expect(csv("Length of sources and targets")[2]).toBe("validated,markers,,,,,3990,18.2,,");
    expect(csv("Categories in a target")).toEqual([
      "of,category,name,n,mean,sd,population_sd",
      "validated,act,'=Act,3990,1.6,0.93,0.92",
      "validated,closed_correctly,Closed correctly (share),3990,1,0,0",
      "",
    ]);
  });

  it("asks for whose spans and which seed", async () => {
    const asked = serve({ [PATH]: PAPER });
    renderScreen(Component);
    await screen.findByText(/8 of 9 items/);
    await userEvent.click(screen.getByRole("button", { name: "Both" }));
    const seed = screen.getByLabelText(/Seed of the split/);
    await userEvent.clear(seed);
    await userEvent.type(seed, "x");
    await userEvent.click(screen.getByRole("button", { name: "Draw the split" }));
    expect(screen.getByText("Write a whole number.")).toBeVisible();
    await userEvent.clear(seed);
    await userEvent.type(seed, "42{Enter}");
    await screen.findByText(/8 of 9 items/);
    expect(asked.map(({ path }) => path.split("?")[1])).toEqual([
      "of=validated&random_state=0",
      "of=all&random_state=0",
      "of=all&random_state=42",
    ]);
  });

  it("says so where the tables cannot be loaded", async () => {
    serve({ [PATH]: new Answer(500, null) });
    renderScreen(Component);
    expect(await screen.findByText(/The tables could not be loaded/)).toBeVisible();
  });

  it("writes means as the paper does", () => {
    expect([mean(2.418), mean(99.995), mean(6054.13), mean(0)]).toEqual([
      "2.42",
      "100.00",
      "6,054.1",
      "0.00",
    ]);
    expect(spread({ n: 0, mean: null, sd: null, population_sd: null })).toBe("–");
  });
});
