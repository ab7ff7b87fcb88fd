import { screen, waitFor, within } from "@testing-library/react";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { expectAccessible, renderScreen, serve } from "../../test/admin";
import { BATCH, brief, LINE, NOW, overview, person, SCORING, TREND } from "../../test/overview";
import type { Overview } from "./api";
import { roughly } from "./copy";
import { Component } from "./index";

beforeAll(() => import("../../components/charts/engine"), 30_000);

function open(part: Partial<Overview> = {}, project: Partial<Overview["project"]> = {}) {
  vi.spyOn(Date, "now").mockReturnValue(NOW);
  const asked = serve({ "GET /api/projects/p1/overview/": overview(part, project) });
  return { asked, ...renderScreen(Component, project) };
}

async function expectNext(title: string, act: string, to: string) {
  expect(await screen.findByRole("region", { name: title })).toBeVisible();
  expect(screen.getByRole("link", { name: act })).toHaveAttribute("href", `/projects/p1/${to}`);
}

const HALF: Partial<Overview> = {
  rounds: [brief({ state: "annotating" })],
  given_out: 150,
  batches: [BATCH],
  people: [
    person({ id: "m3", display_name: "Ben", done: 20, idle: true, since: "2025-11-25T12:00:00Z" }),
    person({ done: 150, skipped: 3, state: "finished" }),
  ],
};

describe("what to do next", () => {
  it("is to import where there is no text", async () => {
    open({}, { pool_size: 0, n_documents: 0 });
    await expectNext("Import text", "Import a corpus", "import");
  });

  it("is the codebook where none is published", async () => {
    open({ waiting: { disagreements: null, validations: null } }, { active_codebook: null });
    await expectNext("Publish a codebook", "Write the codebook", "codebook");
    expect(screen.getByText("comes with a published codebook")).toBeVisible();
  });

  it("is to invite where nobody annotates", async () => {
    open({ n_annotators: 0 });
    await expectNext("Invite annotators", "Invite people", "members");
  });

  it("is the first random batch where there is text but no round", async () => {
    const { container } = open();
    await expectNext("Start the first batch", "Start the first random batch", "rounds");
    expect(screen.getByRole("region", { name: "No batch is open" })).toHaveTextContent("counts only");
    await expectAccessible(container);
  });

  it("is to wait while a batch is open, and says for how many", async () => {
    open(HALF);
    await expectNext("Batch 1 is open", "See the round", "rounds");
    expect(screen.getByText(/170 of 300 assignments are done; 1 annotator still working/)).toBeVisible();
  });

  it("is to watch while the machine works", async () => {
    open({ rounds: [SCORING, brief()] });
    await expectNext("Round 2 is at work", "Watch it", "rounds");
    expect(screen.getByText(/^scoring, 41 s so far/)).toBeVisible();
  });

  it("is to mend a failed round, with its reason", async () => {
    open({ rounds: [{ ...SCORING, state: "failed", failed_step: "scoring", failure: "disk full" }] });
    await expectNext("Round 2 failed while scoring", "See and restart it", "rounds");
    expect(screen.getByText(/disk full. No label is lost/)).toBeVisible();
  });

  it("is the next round once the batch is complete", async () => {
    open({ rounds: [brief()], next: { number: 2, trains_model: true } }, { budget_spent: 150 });
    await expectNext("The batch is complete", "Start round 2", "rounds");
    expect(screen.getByText(/The next round learns from it and picks/)).toBeVisible();
  });

  it("promises no learning where the next round has no model", async () => {
    open({ rounds: [brief()], next: { number: 2, trains_model: false } }, { budget_spent: 150 });
    await expectNext("The batch is complete", "Start round 2", "rounds");
    expect(screen.getByText(/The next round picks what to label next/)).toBeVisible();
  });

  it("is the export once the budget is spent", async () => {
    open({ rounds: [brief()], next: { number: 2, trains_model: true } }, { budget_spent: 1050 });
    await expectNext("The budget is spent", "Make a release", "releases");
  });

  it("is the export once no item of the pool is left", async () => {
    open({ rounds: [brief()], next: { number: 2, trains_model: true } }, { budget_spent: 150, pool_left: 0 });
    await expectNext("The pool is used up", "Make a release", "releases");
  });
});

describe("the project at a glance", () => {
  it("shows pool, budget, round and the progress of each annotator as counts", async () => {
    const mine = { done: 10, total: 150, withdrawn: 0, batch_number: 1, state: "ok" as const };
    const { asked, container } = open(HALF, { budget_spent: 150, pool_left: 175968, my_progress: mine });
    expect(await screen.findByText("176,118")).toBeVisible();
    expect(screen.getByText(/150 given out, 175,968 left; from 1,290 documents/)).toBeVisible();
    expect(screen.getByText("items issued, 900 left")).toBeVisible();
    expect(screen.getByText(/Uniform random: open for annotators/)).toBeVisible();
    expect(screen.getByRole("link", { name: "Label your own 140" })).toBeVisible();
    expect(asked.map(({ path }) => path)).toEqual(["/api/projects/p1/overview/"]);
    await expectAccessible(container);
  });

  it("lists people in the server's order, and says before the table who needs a word", async () => {
    open(HALF);
    const table = await screen.findByRole("table");
    expect(
      within(table)
        .getAllByRole("rowheader")
        .map((cell) => cell.textContent),
    ).toEqual(["Ben", "Ann"]);
    const row = (name: string) => within(table).getByRole("rowheader", { name }).closest("tr");
    expect(row("Ben")).toHaveTextContent("20 of 150idle for 3 days");
    expect(row("Ann")).toHaveTextContent("150 of 150, 3 skippedfinished");
    expect(screen.getByText("Idle (open work, nothing finished for 24 h): Ben.")).toBeVisible();
  });

  it("shows several batches side by side, and who is not on one", async () => {
    const look = { ...BATCH, id: "b2", kind: "second_look" as const, size: 12, done: 0, total: 24 };
    const people = [
      person({ state: "not_begun", since: "2025-11-28T09:00:00Z", last_done_at: null }),
      person({
        id: "m3",
        display_name: "Ben",
        state: "left",
        batches: [{ batch: "b2", done: 1, skipped: 0, total: 1 }],
      }),
    ];
    const { container } = open({ ...HALF, batches: [BATCH, look], people });
    const heads = (await screen.findAllByRole("columnheader")).map((cell) => cell.textContent);
    expect(heads).toEqual(["Person", "Batch 1", "Second look at batch 1", "State"]);
    expect(screen.getByRole("rowheader", { name: "Ann" }).closest("tr")).toHaveTextContent(
      "0 of 150–not begun, open for 3 h",
    );
    expect(screen.getByRole("rowheader", { name: "Ben" }).closest("tr")).toHaveTextContent(
      "–1 of 1deactivated",
    );
    expect(screen.getByText("Idle (open work, nothing finished for 24 h): nobody.")).toBeVisible();
    await expectAccessible(container);
  });

  it("says in words what runs and what waits", async () => {
    const workers = {
      broker: true,
      models: { alive: false, seen_at: "2025-11-28T11:57:00Z" },
      light: { alive: true, seen_at: null },
    };
    const jobs: Overview["jobs"] = [
      { kind: "import", name: "pool.jsonl", at_work: false, created_at: "2025-11-28T11:00:00Z" },
      { kind: "release", name: "Release 2", at_work: true, created_at: "2025-11-28T11:59:30Z" },
    ];
    open({ workers, jobs });
    expect(
      await screen.findByText(
        "The model worker has stopped (last seen 3 min ago): no training and no scoring until it is started again.",
      ),
    ).toBeVisible();
    expect(screen.getByText("The import and release worker runs.")).toBeVisible();
    expect(screen.getByText("Import of pool.jsonl waits for a worker, for 60 min.")).toBeVisible();
    expect(screen.getByText("Release 2 is at work, begun less than 1 min ago.")).toBeVisible();
  });

  it("warns before the disk is full", async () => {
    open({ disk: { low: true, reserve_bytes: 2_000_000_000 } });
    expect(await screen.findByText(/^Less than 2.0 GB are free on the server's disk/)).toBeVisible();
  });

  it("links what waits for a decision", async () => {
    open({ waiting: { disagreements: 7, validations: 2 } });
    expect(await screen.findByRole("link", { name: "7 without a majority" })).toHaveAttribute(
      "href",
      "/projects/p1/adjudication",
    );
    expect(screen.getByRole("link", { name: "2 to validate" })).toHaveAttribute(
      "href",
      "/projects/p1/validation",
    );
  });

  it("draws agreement and yield, each with its numbers in words", async () => {
    const undefinedAlpha = {
      coefficient: "α (nominal)",
      alpha: null,
      low: null,
      high: null,
      n_units: 0,
      reason: "no answers",
    };
    const open2 = { ...LINE, number: 2, complete: false, agreement: undefinedAlpha };
    const { container } = open({ ...HALF, trend: { ...TREND, batches: [LINE, open2] } });
    expect(await screen.findByText(/Round 1: α \(nominal\) 0.63 \[0.55, 0.71\], n = 150/)).toBeVisible();
    expect(screen.getByRole("img", { name: /Round 2: no α \(nominal\): no answers/ })).toBeVisible();
    expect(screen.getByText(/Round 2: 25.3 % \[19.0, 33.0\], n = 146/)).toBeVisible();
    expect(screen.getByRole("region", { name: "Yield of “Yes”" })).toBeVisible();
    await waitFor(() => expect(container.querySelectorAll(".chart svg")).toHaveLength(2));
    await expectAccessible(container);
  });

  it("says why there is no figure yet", async () => {
    const agreement = {
      ...LINE.agreement,
      coefficient: "α (nominal)",
      alpha: null,
      n_units: 0,
      reason: "no answers",
    };
    const positives = { count: 0, n: 0, share: null, low: null, high: null };
    open({ ...HALF, trend: { ...TREND, baseline: null, batches: [{ ...LINE, agreement, positives }] } });
    expect(await screen.findByText(/No item has two answers yet/)).toBeVisible();
    expect(screen.getByText(/No item has a majority yet/)).toBeVisible();
  });
});

it("says how long ago as people do", () => {
  const minute = 60_000;
  expect([0, 1, 119, 120, 47 * 60 + 59, 48 * 60].map((minutes) => roughly(minutes * minute))).toEqual([
    "less than 1 min",
    "1 min",
    "119 min",
    "2 h",
    "47 h",
    "2 days",
  ]);
});
