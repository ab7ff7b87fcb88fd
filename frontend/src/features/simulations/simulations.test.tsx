import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { describe, expect, it } from "vitest";
import { meQuery } from "../../api/queries";
import { createQueryClient } from "../../app/queryClient";
import { ProjectContext } from "../../session/project";
import { RequireSession } from "../../session/session";
import { Answer, expectAccessible, ME, PROJECT, serve } from "../../test/admin";
import { choices, DONE, simulation, WITH_PARTS } from "../../test/simulations";
import type { SimulationDetail } from "./api";
import { Component } from "./index";

const LIST = "/api/projects/p1/simulations/";
const WORKERS = {
  broker: true,
  models: { alive: true, seen_seconds_ago: 1 },
  light: { alive: true, seen_seconds_ago: 1 },
};

function open(path: string, routes: Record<string, unknown>) {
  const asked = serve({
    "GET /api/projects/p1/workers/": WORKERS,
    [`GET ${LIST}choices/`]: choices(),
    ...routes,
  });
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { retry: false } });
  const element = (
    <RequireSession>
      <ProjectContext value={PROJECT}>
        <Component />
      </ProjectContext>
    </RequireSession>
  );
  client.setQueryData(meQuery.queryKey, ME);
  const routed = [{ path: "/projects/p1/simulations/:simulationId?", element }];
  const router = createMemoryRouter(routed, { initialEntries: [`/projects/p1/simulations${path}`] });
  const { container } = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { asked, container, router };
}

const shown = (one: SimulationDetail, more: Record<string, unknown> = {}) =>
  open("/s1", { "GET /api/simulations/s1/": one, ...more });

describe("without simulations", () => {
  it("teaches, counts the work and starts one on the project's own labels", async () => {
    const { asked, container, router } = open("", {
      [`GET ${LIST}`]: [],
      [`POST ${LIST}`]: new Answer(201, simulation({ state: "waiting" })),
      "GET /api/simulations/s1/": simulation({ state: "waiting" }),
    });
    expect(await screen.findByText("No simulations yet")).toBeVisible();
    await userEvent.type(await screen.findByLabelText("Name"), "Mine");
    await userEvent.click(screen.getByRole("button", { name: "Add a strategy" }));
    const third = screen.getByRole("group", { name: "Strategy 3" });
    await userEvent.selectOptions(within(third).getByLabelText("Strategy"), "cal");
    await userEvent.type(within(third).getByLabelText("k"), "10");
    expect(within(third).getByLabelText("Its name in the results")).toHaveAttribute("placeholder", "cal-k10");
    expect(screen.getByText(/10 runs, 91 trainings in all. About 43 s/)).toBeVisible();
    await expectAccessible(container);
    await userEvent.click(screen.getByRole("button", { name: "Start the simulation" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/projects/p1/simulations/s1"));
    expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({
      name: "Mine",
      source: { kind: "stage", stage: "opinion", share: 0.3 },
      strategies: [{ key: "random" }, { key: "entropy" }, { key: "cal-k10", options: { k: 10 } }],
      batch_sizes: [70],
    });
  });

  it("shows the server's 400 at the row it is about, and keeps what was typed", async () => {
    const errors = { "strategies[1].options.k": ["Odd."], "strategies[1].key": ["Taken."], spec: ["Whole."] };
    open("", {
      [`GET ${LIST}`]: [],
      [`POST ${LIST}`]: new Answer(400, { detail: "Some fields need to be corrected.", errors }),
    });
    await userEvent.type(await screen.findByLabelText("Name"), "Mine");
    await userEvent.click(screen.getByRole("button", { name: "Start the simulation" }));
    const second = screen.getByRole("group", { name: "Strategy 2" });
    await waitFor(() =>
      expect(within(second).getByLabelText("Its name in the results")).toHaveAccessibleDescription(/Taken/),
    );
    expect(screen.getByRole("alert")).toHaveTextContent("spec: Whole.");
    expect(screen.getByLabelText("Name")).toHaveValue("Mine");
  });

  it("asks for files that are not chosen, and sends them once they are", async () => {
    const { asked } = open("", { [`GET ${LIST}`]: [] });
    await userEvent.click(await screen.findByLabelText("Two files of mine"));
    await userEvent.click(screen.getByRole("button", { name: "Start the simulation" }));
    expect(screen.getByLabelText("To learn from")).toHaveAccessibleDescription(/Choose a file/);
    const lines = new File(["{}\n{}\n\n"], "mine.jsonl");
    await userEvent.upload(screen.getByLabelText("To learn from"), lines);
    await waitFor(() =>
      expect(screen.getByLabelText("To learn from")).toHaveAccessibleDescription(/2 lines/),
    );
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
  });

  it("names parts, string test, primary comparison and marks for missing, and what lacks", async () => {
    const { asked } = open("", { [`GET ${LIST}`]: [] });
    await userEvent.click(await screen.findByLabelText("Two files of mine"));
    await userEvent.click(screen.getByRole("button", { name: "Take the usual marks" }));
    expect(screen.getByLabelText("Marks for missing")).toHaveValue("NA,");
    await userEvent.click(screen.getByText("What the results compare"));
    await userEvent.click(screen.getByRole("button", { name: "Add a part" }));
    await userEvent.type(screen.getByLabelText("Name of the part"), "real");
    await userEvent.selectOptions(screen.getByLabelText("Primary comparison"), "entropy");
    await userEvent.selectOptions(screen.getByLabelText("Measured on"), "real");
    await userEvent.type(screen.getByLabelText("String test: phrases"), "bank rate");
    await userEvent.click(screen.getByRole("button", { name: "Start the simulation" }));
    expect(screen.getByLabelText("Field of the lines")).toHaveAccessibleDescription(/Name a field/);
    expect(screen.getByLabelText("Label of every other text")).toHaveAccessibleDescription(/Name a label/);
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
  });

  it("says why a stage has too few labels, and why nothing can start", async () => {
    const dead = { ...WORKERS, models: { alive: false, seen_seconds_ago: 12 } };
    open("", { [`GET ${LIST}`]: [], "GET /api/projects/p1/workers/": dead });
    await userEvent.selectOptions(await screen.findByLabelText("Stage"), "mp");
    expect(screen.getByText(/20 items have a usable majority label/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Start the simulation" })).toHaveAccessibleDescription(
      /model worker.*last seen 12 s ago/,
    );
  });
});

describe("the list", () => {
  it("shows state and progress, and opens the form when asked", async () => {
    const { container } = open("", {
      [`GET ${LIST}`]: [simulation(), { ...DONE, id: "s0", name: "Before" }],
    });
    const row = (await screen.findByRole("link", { name: "Entropy or chance" })).closest("tr");
    expect(row).toHaveTextContent("running3 of 9 trainings, about 70 s left");
    expect(row).toHaveTextContent("random, entropy");
    expect(row).toHaveTextContent("mine.jsonl: 1,000 to learn from, 200 to test on");
    await expectAccessible(container);
    await userEvent.click(screen.getByRole("button", { name: "New simulation" }));
    expect(await screen.findByRole("form", { name: "Start a simulation" })).toBeVisible();
  });
});

describe("a running simulation", () => {
  it("shows what is done by run, and is cancelled after a question", async () => {
    const { asked, container } = shown(simulation(), {
      "POST /api/simulations/s1/cancel/": simulation({ state: "cancelled" }),
    });
    expect(await screen.findByText(/Now: entropy with bow-logreg, batches of 50, seed 1/)).toBeVisible();
    const row = screen
      .getByRole("rowheader", { name: "random with bow-logreg, batches of 50" })
      .closest("tr");
    expect(row).toHaveTextContent("2 of 2 · 0.700–");
    await expectAccessible(container);
    await userEvent.click(screen.getByRole("button", { name: "Cancel the simulation" }));
    await userEvent.click(screen.getByRole("button", { name: "Cancel it" }));
    await waitFor(() => expect(asked.some(({ path }) => path.endsWith("/cancel/"))).toBe(true));
  });

  it("says that it waits for a round", async () => {
    const detail = "Rounds go first: it goes on after the round.";
    shown(simulation({ state: "waiting", progress: { ...simulation().progress, detail } }));
    expect(await screen.findByRole("heading", { name: "Waiting to go on" })).toBeVisible();
    expect(screen.getByText(/Rounds go first: it goes on after the round/)).toBeVisible();
  });
});

describe("a failed simulation", () => {
  it("shows the reason and the two ways on", async () => {
    const failed = simulation({ state: "failed", failure: "CellFailed: disk full" });
    const { asked, container } = shown(failed, { "POST /api/simulations/s1/restart/": failed });
    expect(await screen.findByText("CellFailed: disk full")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Begin anew" }));
    expect(screen.getByRole("dialog")).toHaveTextContent("all of it is done again");
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Begin anew" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await userEvent.click(screen.getByRole("button", { name: "Go on from where it stopped" }));
    await waitFor(() => expect(asked.filter(({ method }) => method === "POST")).toHaveLength(2));
    expect(asked.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
      { anew: true },
      { anew: false },
    ]);
    await expectAccessible(container);
  });
});

describe("a finished simulation with parts and a primary comparison", () => {
  it("shows both parts, the levels without learning and both intervals", async () => {
    const { container } = shown(WITH_PARTS);
    expect(
      await screen.findByText(/named before the run: entropy − random, by area, on real\./),
    ).toBeVisible();
    const named = screen.getByRole("heading", { name: "Primary: entropy − random, area" }).parentElement;
    expect(named).toHaveTextContent(
      "+0.0300 real (n = 90); +0.0100 to +0.0500 (t), −0.0100 to +0.0700 (seeds and items)",
    );
    const levels = screen.getByRole("group", { name: "To compare with: test macro-F1" });
    const phrases = within(levels)
      .getByRole("rowheader", { name: /^string test/ })
      .closest("tr");
    expect(phrases).toHaveTextContent("string test, without learning0.7390.336");
    expect(
      within(levels).getByRole("rowheader", { name: "bow-logreg, all labels" }).closest("tr"),
    ).toHaveTextContent("0.8000.650");
    expect(screen.getByRole("heading", { name: "Test macro-F1 over labels: real (n = 90)" })).toBeVisible();
    expect(screen.getAllByText(/^string test: 0\.\d+$/).map((key) => key.textContent)).toEqual([
      "string test: 0.739",
      "string test: 0.336",
    ]);
    const differences = screen.getByRole("group", { name: "Paired differences: real (n = 90)" });
    expect(within(differences).getByText("primary").closest("tr")).toHaveTextContent("area under the curve");
    const all = screen.getByRole("group", { name: "Paired differences" });
    expect(within(all).getAllByText("exploratory")).toHaveLength(2);
    await expectAccessible(container);
  });
});

describe("a finished simulation", () => {
  it("says who was ahead, by how much, and what that allows one to say", async () => {
    const { container } = shown(DONE);
    expect(
      await screen.findByText(/all 2 seeds would still agree on a direction once in 2 times/),
    ).toBeVisible();
    const winner = screen.getByRole("heading", { name: "Largest area under the curve" }).parentElement;
    expect(winner).toHaveTextContent("entropy 0.680 ± 0.010, 2 seeds");
    const area = screen.getByRole("heading", { name: "Above random, by area" }).parentElement;
    expect(area).toHaveTextContent("+0.0200");
    expect(area).toHaveTextContent("higher in 2 of 2 seeds");
    const table = screen.getByRole("group", { name: "Results of each strategy" });
    const entropy = within(table).getByRole("rowheader", { name: "entropy" }).closest("tr");
    expect(entropy).toHaveTextContent(
      "entropy0.680 ± 0.0100.750 ± 0.0100.950 ± 0.0100 of 4 models100 (2 of 2), 0.50x",
    );
    expect(screen.getByText(/No comparison was named before the run/)).toBeVisible();
    expect(screen.getByRole("heading", { name: "Share of “yes” among the labelled" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Report (HTML)" })).toHaveAttribute(
      "href",
      "/api/simulations/s1/report/",
    );
    await expectAccessible(container);
  });
});
