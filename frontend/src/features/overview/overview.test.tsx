import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Project } from "../../api/types";
import { expectAccessible, PROJECT, renderScreen, serve } from "../../test/admin";
import type { RoundsPage } from "../rounds/api";
import { AFTER_ONE, page, round, SCORING } from "../rounds/examples";
import { Component } from "./index";

function open(shown: RoundsPage, project: Partial<Project> = {}, imports: unknown[] = []) {
  serve({
    "GET /api/projects/p1/": { ...PROJECT, ...project },
    "GET /api/projects/p1/rounds/": shown,
    "GET /api/projects/p1/imports/": imports,
    "GET /api/projects/p1/workers/": shown.workers,
  });
  return renderScreen(Component, project);
}

async function expectNext(title: string, act: string, to: string) {
  expect(await screen.findByRole("region", { name: title })).toBeVisible();
  expect(screen.getByRole("link", { name: act })).toHaveAttribute("href", `/projects/p1/${to}`);
}

const HALF = round({
  state: "annotating",
  annotators: [
    { id: "m2", display_name: "Ann", done: 150, total: 150 },
    { id: "m3", display_name: "Ben", done: 20, total: 150 },
  ],
  batch: { number: 1, size: 150, done: 170, total: 300, complete: false },
});

describe("what to do next", () => {
  it("is to import where there is no text", async () => {
    open(page(), { pool_size: 0, n_documents: 0 });
    await expectNext("Import text", "Import a corpus", "import");
  });

  it("is the codebook where none is published", async () => {
    open(page(), { active_codebook: null });
    await expectNext("Publish a codebook", "Write the codebook", "codebook");
  });

  it("is to invite where nobody annotates", async () => {
    open(page({ annotators: [{ id: "m1", display_name: "Admin", role: "admin" }] }));
    await expectNext("Invite annotators", "Invite people", "members");
  });

  it("is the first random batch where there is text but no round", async () => {
    const { container } = open(page());
    await expectNext("Start the first batch", "Start the first random batch", "rounds");
    await expectAccessible(container);
  });

  it("is to wait while a batch is open, and says for how many", async () => {
    open(page({ rounds: [HALF] }));
    await expectNext("Batch 1 is open", "See the round", "rounds");
    expect(screen.getByText(/170 of 300 assignments are done; 1 annotator still at it/)).toBeVisible();
  });

  it("is to watch while the machine works", async () => {
    open(page({ rounds: [SCORING, round()] }));
    await expectNext("Round 2 is at work", "Watch it", "rounds");
  });

  it("is to mend a failed round, with its reason", async () => {
    open(page({ rounds: [{ ...SCORING, state: "failed", failed_step: "scoring", failure: "disk full" }] }));
    await expectNext("Round 2 failed while scoring", "See and restart it", "rounds");
    expect(screen.getByText(/disk full. No label is lost/)).toBeVisible();
  });

  it("is the next round once the batch is complete", async () => {
    open(page({ rounds: [round()], next: AFTER_ONE }), { budget_spent: 150 });
    await expectNext("The batch is complete", "Start round 2", "rounds");
    expect(screen.getByText(/The next round learns from it and picks/)).toBeVisible();
  });

  it("promises no learning where the next round has no model", async () => {
    const next = { ...AFTER_ONE, suggested_strategy: "ngram_density" };
    open(page({ rounds: [round({ learning_stages: [] })], next }), { budget_spent: 150 });
    await expectNext("The batch is complete", "Start round 2", "rounds");
    expect(screen.getByText(/The next round picks what to label next/)).toBeVisible();
  });

  it("is the export once the budget is spent", async () => {
    open(page({ rounds: [round()], next: AFTER_ONE }), { budget_spent: 1050 });
    await expectNext("The budget is spent", "Export the dataset", "export");
  });
});

describe("the project at a glance", () => {
  it("shows pool, budget, round and the progress of each annotator as counts", async () => {
    const mine = { done: 10, total: 150, batch_number: 1, state: "ok" as const };
    const { container } = open(page({ rounds: [HALF] }), { budget_spent: 150, my_progress: mine });
    expect(await screen.findByText("176,118")).toBeVisible();
    expect(screen.getByText(/from 1,290 documents; 175,968 not yet given to anyone/)).toBeVisible();
    expect(screen.getByText("items issued, 900 left")).toBeVisible();
    expect(screen.getByText("Uniform random: open for annotators")).toBeVisible();
    expect(screen.getByText("Ben").closest("li")).toHaveTextContent("20 of 150");
    expect(screen.getByRole("link", { name: "Label your own 140" })).toBeVisible();
    await expectAccessible(container);
  });

  it("says in words what runs and what waits", async () => {
    const workers = {
      broker: true,
      models: { alive: false, seen_seconds_ago: 130 },
      light: { alive: true, seen_seconds_ago: 1 },
    };
    open(page({ workers }), {}, [
      { id: "i", filename: "pool.jsonl", state: "queued", created_at: "2025-11-27" },
    ]);
    expect(
      await screen.findByText(
        "The model worker has stopped (seen 2 min 10 s ago): no training and no scoring until it is started again.",
      ),
    ).toBeVisible();
    expect(screen.getByText("The light worker runs (seen 1 s ago).")).toBeVisible();
    expect(await screen.findByText(/1 import in the queue or at work: pool.jsonl/)).toBeVisible();
  });
});
