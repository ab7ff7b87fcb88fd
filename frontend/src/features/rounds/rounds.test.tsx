import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { RoundsPage } from "../../api/rounds";
import { Answer, expectAccessible } from "../../test/admin";
import { BLIND, ENTROPY, makeInsights, RANDOM } from "../../test/insights";
import { AFTER_ONE, CODEBOOK, page, round, SCORING } from "../../test/rounds";
import { open, ROUNDS } from "../../test/roundsPage";

describe("without rounds", () => {
  it("teaches and starts the first random batch with the usual settings", async () => {
    const { asked, container } = open(page(), { [`POST ${ROUNDS}`]: new Answer(201, round()) });
    expect(await screen.findByText(/first batch is drawn at random/)).toBeVisible();
    expect(screen.queryByLabelText("Maximum entropy")).toBeNull();
    await screen.findByLabelText("Items in the batch");
    await expectAccessible(container);
    await userEvent.click(screen.getByRole("button", { name: "Start it" }));
    const dialog = screen.getByRole("dialog", { name: "Start round 1?" });
    expect(dialog).toHaveTextContent("can be cancelled: its items go back into the pool.");
    expect(dialog).not.toHaveTextContent(/freezes|it froze/);
    await userEvent.click(within(dialog).getByRole("button", { name: "Start round 1" }));
    await waitFor(() => expect(asked.some(({ method }) => method === "POST")).toBe(true));
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
      strategy: "random",
      options: {},
      query_size: 150,
      random_state: expect.any(Number),
      model: "all-MiniLM-L6-v2",
      learning_stages: ["opinion"],
      random_share: 0,
      no_duplicate_texts: false,
      annotators: ["m2", "m3", "m4", "m5"],
      annotators_per_item: 3,
      label_phase: 1,
      use_adjudicated: false,
      allowed_alternative: "",
    });
  });

  it("asks for no more than the budget and the pool hold", async () => {
    open(page(), {}, { annotation_budget: 1050, budget_spent: 990 });
    expect(await screen.findByLabelText("Items in the batch")).toHaveValue("60");
  });

  it("says why it cannot start, and does not send", async () => {
    const reasons = ["The model worker does not run.", "The pool is empty. Import texts first."];
    const { asked } = open(page({ next: { ...page().next, may_start: false, reasons } }));
    const button = await screen.findByRole("button", { name: "Start it" });
    expect(button).toHaveAttribute("aria-disabled", "true");
    expect(button).toHaveAccessibleDescription(/model worker does not run.*pool is empty/);
    await userEvent.click(button);
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
  });

  it("sends an admin without a codebook to write one", async () => {
    open(page(), { "GET /api/projects/p1/codebooks/": [] });
    expect(await screen.findByRole("link", { name: "Write and publish one" })).toHaveAttribute(
      "href",
      "/projects/p1/codebook",
    );
  });
});

describe("while the form stands", () => {
  it("takes up people who join, and keeps what was typed", async () => {
    let people: RoundsPage["annotators"] = [
      { id: "m1", display_name: "Admin", role: "admin", is_usual: false },
    ];
    open(page(), { [`GET ${ROUNDS}`]: () => page({ annotators: people }) });
    const size = await screen.findByLabelText("Items in the batch");
    await userEvent.clear(size);
    await userEvent.type(size, "4");
    people = page().annotators;
    expect(await screen.findByLabelText("Ann")).toBeChecked();
    expect(screen.getByLabelText("Annotators per item")).toHaveValue("3");
    expect(size).toHaveValue("4");
  }, 10_000);
});

describe("a round at work", () => {
  it("shows its steps, its detail and where it is, and asks again each second", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { asked, container } = open(page({ rounds: [SCORING, round()] }));
    const list = await screen.findByRole("list", { name: "Steps" });
    expect(within(list).getByText(/Scoring 108,900 of 176,118/)).toHaveTextContent("(running, 62 %)");
    expect(within(list).getByText(/Training: 27 s/)).toHaveTextContent("(done)");
    expect(within(list).getByText(/Opens for 3 annotators/)).toHaveTextContent("(waiting)");
    expect(screen.getByText(/scoring, started 41 s ago/)).toBeVisible();
    expect(screen.queryByRole("form")).toBeNull();
    const before = asked.filter(({ path }) => path === ROUNDS).length;
    await vi.advanceTimersByTimeAsync(3_100);
    expect(asked.filter(({ path }) => path === ROUNDS).length).toBe(before + 3);
    vi.useRealTimers();
    await expectAccessible(container);
  });

  it("says that the worker has stopped and what happens then", async () => {
    const workers = { ...page().workers, models: { alive: false, seen_seconds_ago: 12 } };
    open(page({ rounds: [SCORING, round()], workers }));
    expect(await screen.findByRole("alert")).toHaveTextContent(/stopped \(last seen 12 s ago\).*by itself/);
  });

  it("is cancelled after saying what is lost", async () => {
    const { asked } = open(page({ rounds: [SCORING, round()] }), {
      "POST /api/rounds/r2/cancel/": { ...SCORING, state: "cancelled" },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Cancel the round" }));
    expect(screen.getByRole("dialog")).toHaveTextContent("Every label stays");
    await userEvent.click(screen.getByRole("button", { name: "Cancel round 2" }));
    await waitFor(() => expect(asked.some(({ path }) => path === "/api/rounds/r2/cancel/")).toBe(true));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("an open batch without answers", () => {
  const open_ = (done: number) =>
    round({
      state: "annotating",
      batch: {
        id: "b1",
        closed_at: null,
        number: 1,
        size: 150,
        done,
        total: 450,
        complete: false,
        n_checks: 0,
      },
    });

  it("is taken back while nobody has answered", async () => {
    const { asked } = open(page({ rounds: [open_(0)] }), {
      "POST /api/rounds/r1/cancel/": round({ state: "cancelled", batch: null }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Cancel the round" }));
    expect(screen.getByRole("dialog")).toHaveTextContent("its items go back into the pool");
    await userEvent.click(screen.getByRole("button", { name: "Cancel round 1" }));
    await waitFor(() => expect(asked.some(({ path }) => path === "/api/rounds/r1/cancel/")).toBe(true));
  });

  it("stays once there is an answer", async () => {
    open(page({ rounds: [open_(1)] }));
    await screen.findByText(/1 of 450 assignments done/);
    expect(screen.queryByRole("button", { name: "Cancel the round" })).toBeNull();
  });
});

describe("a failed round", () => {
  const failed = { ...SCORING, state: "failed" as const, failed_step: "training", failure: "disk full" };

  it("says step and reason, and shows why a restart is refused", async () => {
    const { container } = open(page({ rounds: [failed, round()] }), {
      "POST /api/rounds/r2/restart/": new Answer(409, {
        code: "worker_down",
        detail: "The model worker does not run (last seen 40 s ago): start it, then start the round.",
      }),
    });
    expect(await screen.findByText("Round 2 failed while training.")).toBeVisible();
    expect(screen.getByText("disk full")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Restart round 2" }));
    expect(await screen.findByText(/last seen 40 s ago/)).toBeVisible();
    await expectAccessible(container);
  });
});

describe("an open batch", () => {
  it("shows counts by annotator and when the next may start", async () => {
    const people = round().annotators.map((person) => ({ ...person, done: 20 }));
    const half = round({
      state: "annotating",
      annotators: people,
      notices: ["Asked for cal, used random: the first batch is drawn uniformly at random."],
      batch: {
        id: "b1",
        closed_at: null,
        number: 1,
        size: 150,
        done: 60,
        total: 450,
        complete: false,
        n_checks: 0,
      },
    });
    const reasons = ["The batch of round 1 is not complete: 60 of 450 done."];
    const next = { ...AFTER_ONE, may_start: false, reasons };
    const { container } = open(page({ rounds: [half], next }));
    expect(await screen.findAllByText("20 of 150")).toHaveLength(3);
    expect(screen.getByText(/Open for 3 annotators/)).toHaveTextContent("(done)");
    expect(screen.getByText(/Asked for cal, used random/)).toBeVisible();
    expect(screen.getByText(/60 of 450 done/)).toBeVisible();
    expect(screen.queryByRole("form")).toBeNull();
    await expectAccessible(container);
  });
});

describe("the table", () => {
  it("tells asked from used, carries n, and links the record", async () => {
    const second = round({
      id: "r2",
      number: 2,
      strategy_asked: "entropy",
      strategy_used: "random",
      model: "all-MiniLM-L6-v2",
      n_training: 144,
      metrics: { held_out: { macro_f1: 0.7142, accuracy: 0.8, n: 120, per_label: { yes: { f1: 1 } } } },
      timings: { train: 9.04, score: 118 },
    });
    open(page({ rounds: [second, round()], next: { ...AFTER_ONE, number: 3 } }));
    const row = (await screen.findByRole("rowheader", { name: "2" })).closest("tr");
    expect(row).toHaveTextContent("Uniform random (asked: Maximum entropy)");
    expect(row).toHaveTextContent("450 of 450");
    expect(row).toHaveTextContent("held out: macro-F1 0.714, accuracy 0.800, n = 120");
    expect(row).toHaveTextContent("9 s118 s");
    expect(screen.getByRole("link", { name: /record of round 2/ })).toHaveAttribute(
      "href",
      "/api/rounds/r2/record/",
    );
  });
});

describe("a round's own figures", () => {
  const INSIGHTS = "GET /api/projects/p1/insights/";

  it("stand under its row when they are asked for, and not before", async () => {
    const shown = page({ rounds: [round({ id: "r2", number: 2 }), round()], next: AFTER_ONE });
    const { asked, container } = open(shown, { [INSIGHTS]: makeInsights({ batches: [RANDOM, ENTROPY] }) });
    const button = await screen.findByRole("button", { name: "figures of round 2" });
    expect(asked.some(({ path }) => path.includes("insights"))).toBe(false);
    await userEvent.click(button);
    expect(button).toHaveAttribute("aria-expanded", "true");
    const figure = async (name: string) => (await screen.findByText(name)).nextElementSibling;
    expect(await figure("Lift")).toHaveTextContent("1.99 [1.45, 2.72] over the first random batch (round 1)");
    expect(await figure("Held-out macro-F1")).toHaveTextContent("0.714 n = 500");
    expect(await figure("Training macro-F1")).toHaveTextContent("0.970 n = 144; fit, not quality");
    expect(await figure("Agreement, α (nominal)")).toHaveTextContent(
      "undefined Everyone gave the same label.",
    );
    await expectAccessible(container);
    await userEvent.click(button);
    expect(screen.queryByText("Lift")).toBeNull();
  });

  it("say so far what an open batch brought, and that its model is not informative", async () => {
    const annotating = round({ id: "r3", number: 3, state: "annotating" });
    open(page({ rounds: [annotating] }), { [INSIGHTS]: makeInsights({ batches: [BLIND], baseline: null }) });
    await userEvent.click(await screen.findByRole("button", { name: "Results so far" }));
    expect(await screen.findByText("not informative yet")).toBeVisible();
    expect(screen.getByText("no baseline yet")).toBeVisible();
    expect(screen.getByText("With an outcome").nextElementSibling).toHaveTextContent("0 of 150 still open");
  });
});

describe("rounds of several stages", () => {
  it("are named in the table and in the agreement's card", async () => {
    const heads = {
      mp: { training: { macro_f1: 0.5, n: 40 } },
      opinion: { training: { macro_f1: 0.9, n: 144 } },
    };
    const second = round({
      id: "r2",
      number: 2,
      strategy_used: "entropy",
      model: "all-MiniLM-L6-v2",
      learning_stages: ["opinion", "mp"],
      combine: "max",
      metrics: { number: 1, heads },
    });
    const stages = CODEBOOK.definition.stages.map(({ key, title }) => ({ key, title }));
    open(page({ rounds: [second, round()], next: { ...AFTER_ONE, number: 3 } }), {
      "GET /api/projects/p1/agreement/": { scope: "all", rows: [], annotators: [], stages },
    });
    const row = (await screen.findByRole("rowheader", { name: "2" })).closest("tr");
    expect(row).toHaveTextContent("learns opinion, mp (highest score)");
    expect(row).toHaveTextContent(
      "opinion, training: macro-F1 0.900, n = 144; mp, training: macro-F1 0.500, n = 40",
    );
    expect(await screen.findByText("Agreement, Opinion, Monetary policy")).toBeVisible();
    expect(screen.getByText(/Monetary policy: undefined, no answers yet/)).toBeVisible();
  });
});

describe("when the server cannot be reached", () => {
  it("keeps what is shown and says so", async () => {
    let up = true;
    open(page(), { [`GET ${ROUNDS}`]: () => (up ? page({ rounds: [SCORING] }) : new Answer(502, null)) });
    await screen.findByRole("list", { name: "Steps" });
    up = false;
    expect(await screen.findByText(/may be old/)).toBeVisible();
    expect(screen.getByRole("list", { name: "Steps" })).toBeVisible();
  });
});
