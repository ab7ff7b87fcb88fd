import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import type { Insights } from "../../api/insights";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import { BLIND, EMPTY, ENTROPY, makeInsights, PROTOTYPE, RANDOM } from "../../test/insights";
import { CODEBOOK, page } from "../../test/rounds";
import { Component } from "./index";

// The engine loads once; under load that takes longer than a drawing may.
beforeAll(() => import("../../components/charts/engine"), 30_000);

const INSIGHTS = "GET /api/projects/p1/insights/";

function open(shown: Insights | Answer, routes: Record<string, unknown> = {}) {
  const asked = serve({
    [INSIGHTS]: shown,
    "GET /api/projects/p1/codebooks/": [CODEBOOK],
    "GET /api/projects/p1/rounds/": page(),
    ...routes,
  });
  return { asked, ...renderScreen(Component) };
}

const card = (name: string) => within(screen.getByRole("region", { name }));
const stat = (name: string) =>
  within(screen.getByRole("heading", { name }).closest("section") as HTMLElement);

/** The rows of the table behind a chart. */
async function numbersOf(name: string): Promise<string[][]> {
  await userEvent.click(card(name).getByText(/^The numbers/));
  const table = card(name).getAllByRole("table").at(-1) as HTMLElement;
  return within(table)
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent ?? ""));
}

describe("before there is anything", () => {
  it("teaches where the figures come from", async () => {
    const { container } = open(EMPTY);
    expect(await screen.findByRole("heading", { name: "No figures yet" })).toBeVisible();
    expect(screen.getByRole("link", { name: "rounds page" })).toHaveAttribute("href", "/projects/p1/rounds");
    await expectAccessible(container);
  });

  it("sends an admin without a codebook to write one", async () => {
    const detail = "This project has no published codebook: publish one first.";
    open(new Answer(409, { code: "no_codebook", detail }));
    expect(await screen.findByText(new RegExp(detail))).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to the codebook" })).toBeVisible();
  });

  it("says where to look in a project that only marks spans", async () => {
    const { container } = open(new Answer(409, { code: "no_stages", detail: "No stages." }));
    expect(await screen.findByRole("heading", { name: "Spans have no learning curve" })).toBeVisible();
    expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      "/projects/p1/agreement",
      "/projects/p1/rounds",
      "/projects/p1/validation",
      "/projects/p1/dataset",
      "/projects/p1/export",
    ]);
    await expectAccessible(container);
  });
});

describe("after the first random batch", () => {
  it("shows what it can, and says what comes later", async () => {
    open(makeInsights({ batches: [RANDOM] }));
    await screen.findByRole("region", { name: "Learning curve" });
    expect(card("Learning curve").getByText(/No model has learned this stage yet/)).toBeVisible();
    expect(card("What the models predict for the pool").getByText(/No model has scored/)).toBeVisible();
    expect(stat("Base rate").getByText("25.3 %")).toBeVisible();
    expect(stat("Held-out macro-F1").getByRole("link", { name: "test set" })).toBeVisible();
    expect(await numbersOf("Positives in each batch")).toEqual([
      ["Round 1", "37", "25.3 % [19.0, 33.0], n = 146", "–", "450", "8.2 [6.2, 10.7]"],
    ]);
  });

  it("draws every chart with its numbers in words", async () => {
    const { container } = open(makeInsights({ batches: [RANDOM] }));
    await expect.poll(() => container.querySelectorAll(".chart svg").length).toBe(3);
    await expect
      .poll(() =>
        screen.getByRole("img", { name: /α: Round 1: α \(nominal\) 0.63/ }).getAttribute("aria-label"),
      )
      .toContain("Krippendorff");
    expect(await screen.findByRole("img", { name: /Yes \(positive\) 24.7 %, No 71.3 %/ })).toBeVisible();
  });
});

describe("after some rounds", () => {
  const MANY = makeInsights({
    batches: [PROTOTYPE, RANDOM, ENTROPY, BLIND],
    baseline: {
      source: "prototype",
      batch: 1,
      positives: 37,
      n: 146,
      share: 37 / 146,
      low: 0.19,
      high: 0.33,
    },
  });

  it("sets quality beside labels, and flags a model that knows one class", async () => {
    const { container } = open(MANY);
    expect(await screen.findByText(/by how many items it had learned from; test n = 500/)).toBeVisible();
    expect(await numbersOf("Learning curve")).toEqual([
      ["Round 2", "144", "0.714", "0.900", "500", "0.970", "yes"],
      ["Round 3", "289", "–", "–", "–", "0.970", "not yet"],
    ]);
    expect(card("Learning curve").getByText(/Not informative yet: Round 3/)).toBeVisible();
    await expectAccessible(container);
  });

  it("names the training figures as such where no test set is attached", async () => {
    open(makeInsights({ batches: [RANDOM, { ...ENTROPY, held_out: null }] }));
    expect(await screen.findByText(/only how well each fits its own training/)).toBeVisible();
    expect(screen.getByRole("link", { name: "Attach a test set" })).toBeVisible();
  });

  it("compares yields with the named baseline, per items and per annotations", async () => {
    open(MANY);
    const region = await screen.findByRole("region", { name: "Positives in each batch" });
    expect(within(region).getByText(/its band: the prototype batch 1/)).toBeVisible();
    expect(screen.getByRole("img", { name: /per 100 items: .*Round 2: 50.3 \[42.0, 58.0\]/ })).toBeVisible();
    await userEvent.click(within(region).getByRole("button", { name: "Per 100 annotations" }));
    expect(
      screen.getByRole("img", { name: /per 100 annotations: .*Round 2: 16.2 \[13.5, 18.7\]/ }),
    ).toBeVisible();
    const rows = await numbersOf("Positives in each batch");
    expect(rows[2]?.[3]).toBe("1.99 [1.45, 2.72]");
    expect(rows[3]).toEqual(["Round 3", "0", "no item with a majority yet", "–", "0", "–"]);
  });

  it("says why agreement is undefined", async () => {
    open(MANY);
    await screen.findByRole("region", { name: "Agreement in each batch" });
    const rows = await numbersOf("Agreement in each batch");
    expect(
      screen.getByRole("img", { name: /Round 1: α \(nominal\) 0.63 \[0.55, 0.71\], n = 150; / }),
    ).toBeVisible();
    expect(rows[1]?.[2]).toBe("0.55 to 0.71");
    expect(rows[3]?.[2]).toBe("–");
    expect(rows.map((row) => row[1])).toEqual([
      "0.63",
      "0.63",
      "undefined Everyone gave the same label.",
      "undefined No item has two answers.",
    ]);
  });

  it("shows the pool as each model sees it, also where histograms were not kept", async () => {
    open(MANY);
    const name = "What the models predict for the pool";
    await screen.findByRole("region", { name });
    expect(card(name).getAllByRole("img")).toHaveLength(2);
    expect(card(name).getAllByText("not kept")).toHaveLength(2);
    expect(card(name).getByText("31.0 %")).toBeVisible();
    const bins = await numbersOf(name);
    expect(bins).toHaveLength(20);
    expect(bins[19]).toEqual(["0.95 to 1.00", "5,118", "5,118", "–", "–"]);
  });

  it("advises on stopping: status in words, definition, threshold, values", async () => {
    const { container } = open(MANY);
    const list = await screen.findByRole("region", { name: "Is it time to stop?" });
    expect(within(list).getByText("1 of 3 signals reached")).toBeVisible();
    const items = within(list)
      .getAllByRole("listitem")
      .filter((item) => item.querySelector("h3"));
    expect(items[0]).toHaveTextContent(/Overall uncertainty not reached.*0.380 in round 2.*Threshold: 0.050/);
    expect(items[1]).toHaveTextContent(/Budget reached.*Threshold: 0\./);
    expect(items[2]).toHaveTextContent(/Stabilising predictions cannot be told yet/);
    expect(within(items[2] as HTMLElement).queryByText(/Value over the rounds/)).toBeNull();
    await userEvent.click(within(items[1] as HTMLElement).getByText(/Value over the rounds/));
    expect(within(items[1] as HTMLElement).getByRole("row", { name: "1 150" })).toBeVisible();
    await expectAccessible(container);
  });
});

it("asks again for another stage", async () => {
  const { asked } = open(makeInsights({ batches: [RANDOM] }));
  await userEvent.selectOptions(await screen.findByLabelText("Stage"), "Monetary policy");
  await waitFor(() => expect(asked.map(({ path }) => path)).toContain("/api/projects/p1/insights/?stage=mp"));
});

it("says that a stage has no positive label", async () => {
  open(makeInsights({ positive: [], baseline: null, batches: [RANDOM] }));
  expect(await screen.findByText(/names no positive label at “Opinion”/)).toBeVisible();
});
