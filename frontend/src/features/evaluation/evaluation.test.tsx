import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { describe, expect, it } from "vitest";
import { meQuery } from "../../api/queries";
import { createQueryClient } from "../../app/queryClient";
import { AnnouncerProvider } from "../../components/Announcer";
import { ProjectContext } from "../../session/project";
import { RequireSession } from "../../session/session";
import { Answer, expectAccessible, ME, PROJECT, serve } from "../../test/admin";
import {
  choices,
  DONE,
  detail,
  ESTIMATE,
  evaluation,
  languageModel,
  prediction,
  predictionDetail,
} from "../../test/evaluation";
import { Component as Errors } from "./errors";
import type { Figures, StageFigures, SystemFigures } from "./figures";
import { Component as Main } from "./index";
import { Component as Start } from "./start";

const LIST = "/api/projects/p1/evaluations/";
const HERE = "/projects/p1/evaluation";
const WORKERS = {
  broker: true,
  models: { alive: true, seen_seconds_ago: 1 },
  light: { alive: true, seen_seconds_ago: 1 },
};

function open(path: string, routes: Record<string, unknown>) {
  const asked = serve({
    "GET /api/projects/p1/workers/": WORKERS,
    [`GET ${LIST}choices/`]: choices(),
    [`POST ${LIST}estimate/`]: ESTIMATE,
    ...routes,
  });
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { retry: false } });
  client.setQueryData(meQuery.queryKey, ME);
  const screenAt = (screenPath: string, Screen: ComponentType) => ({
    path: HERE + screenPath,
    element: (
      <RequireSession>
        <ProjectContext value={PROJECT}>
          <Screen />
        </ProjectContext>
      </RequireSession>
    ),
  });
  const router = createMemoryRouter(
    [screenAt("/:evaluationId?", Main), screenAt("/start", Start), screenAt("/:evaluationId/errors", Errors)],
    { initialEntries: [HERE + path] },
  );
  const { container } = render(
    <QueryClientProvider client={client}>
      <AnnouncerProvider>
        <RouterProvider router={router} />
      </AnnouncerProvider>
    </QueryClientProvider>,
  );
  const sent = (method: string, end: string) =>
    asked.filter((each) => each.method === method && each.path.endsWith(end));
  return { asked, sent, container, router };
}

describe("the list of evaluations", () => {
  it("says what an evaluation is and needs, where there is none", async () => {
    const { container } = open("", { [`GET ${LIST}`]: [] });
    expect(await screen.findByRole("heading", { name: "No evaluations yet" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Start an evaluation" })).toHaveAttribute(
      "href",
      `${HERE}/start`,
    );
    await expectAccessible(container);
  });

  it("shows state, progress and the best system of each stage", async () => {
    const { asked } = open("", {
      [`GET ${LIST}`]: [
        evaluation({ id: "e3", number: 3, name: "Trial: small", is_dry_run: true }),
        evaluation({ id: "e2", number: 2, name: "Second" }),
        DONE,
      ],
    });
    const running = (await screen.findByRole("link", { name: "2. Second" })).closest("tr");
    expect(running).toHaveTextContent("running40 of 160 predictions");
    const done = screen.getByRole("link", { name: "1. Small model" }).closest("tr");
    await waitFor(() => expect(done).toHaveTextContent("Opinion: 0.80, Small model"));
    expect(done).toHaveTextContent("Context: 0.70, Majority class (n = 30)");
    // One request for the list, none for each evaluation; trials are folded.
    expect(asked.filter(({ path }) => path.startsWith("/api/evaluations/"))).toEqual([]);
    expect(screen.queryByRole("link", { name: "3. Trial: small" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "1 trial" }));
    expect(screen.getByRole("link", { name: "3. Trial: small" })).toBeVisible();
  });
});

describe("the start form", () => {
  it("counts gold labels, approves a host once, estimates, and starts", async () => {
    const approved = languageModel({ approved: { by: "Admin", at: "2025-11-29T09:00:00Z" } });
    let isApproved = false;
    const { container, router, sent } = open("/start", {
      [`GET ${LIST}choices/`]: () => choices(isApproved ? { language_models: [approved] } : {}),
      "POST /api/projects/p1/language-models/small/approval/": () => {
        isApproved = true;
        return new Answer(201, approved);
      },
      [`POST ${LIST}`]: new Answer(201, evaluation({ state: "waiting" })),
      [`GET ${LIST}`]: [],
      "GET /api/evaluations/e1/": detail({ state: "waiting" }),
    });
    await waitFor(() =>
      expect(screen.getByLabelText("Opinion")).toHaveAccessibleDescription(
        "120 gold labels (yes 70, no 50). Left out: no majority (12).",
      ),
    );
    expect(screen.getByLabelText("Keyless")).toBeDisabled();
    const small = screen.getByLabelText("Small model");
    expect(small).toHaveAccessibleDescription(/Texts go to api.example.org/);
    await userEvent.click(small);
    expect(small).not.toBeChecked();
    await userEvent.click(screen.getByRole("button", { name: "Approve sending texts to api.example.org" }));
    await waitFor(() => expect(screen.getByLabelText("Small model")).toBeChecked());
    expect(await screen.findByText(/was approved by Admin/)).toBeVisible();
    expect(sent("POST", "/approval/")[0]?.body).toEqual({ destination: "api.example.org" });
    expect(await screen.findByText("In all 160 requests, about 0.03 USD.")).toBeVisible();
    await expectAccessible(container);
    await userEvent.click(screen.getByRole("button", { name: "Start the evaluation" }));
    expect(screen.getByLabelText("Name")).toHaveAccessibleDescription(/Give it a name/);
    expect(screen.getByLabelText("Name")).toHaveFocus();
    await userEvent.type(screen.getByLabelText("Name"), "Mine");
    await userEvent.click(screen.getByRole("button", { name: "Start the evaluation" }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`${HERE}/e1`));
    expect(sent("POST", "/evaluations/")[0]?.body).toEqual({
      ...{ name: "Mine", gold: { kind: "labels", phase: 1, adjudicated: true } },
      ...{
        stages: ["opinion", "mp_context"],
        systems: ["majority", "small"],
        folds: 4,
        examples: 0,
        seed: 0,
      },
      ...{ pool: 0, batch: null, epsilon: 0.15, prompts: { opinion: 2, mp_context: 0 } },
      client_id: expect.any(String),
    });
  });

  it("leaves out stages with too few gold labels, unless somebody chooses them", async () => {
    const [opinion, context] = ESTIMATE.stages;
    const few = { ...context, n: 1, labels: { yes: 1, no: 0 } };
    const { sent } = open("/start", {
      [`POST ${LIST}estimate/`]: { ...ESTIMATE, stages: [opinion, few] },
      [`GET ${LIST}`]: [],
    });
    const box = await screen.findByLabelText("Context");
    expect(box).not.toBeChecked();
    expect(box).toHaveAccessibleDescription(/^1 gold label \(yes 1, no 0\)\. Too few to compare systems/);
    expect(screen.getByLabelText("Opinion")).toBeChecked();
    await userEvent.click(box);
    await waitFor(() =>
      expect(sent("POST", "/estimate/").at(-1)?.body).toMatchObject({ stages: ["opinion", "mp_context"] }),
    );
  });

  it("lists the faults of a file one by one", async () => {
    const predictions = ["Line 1: label: No.", "Line 7: id: No."];
    open("/start", {
      [`POST ${LIST}`]: new Answer(400, {
        detail: "Some fields need to be corrected.",
        errors: { predictions },
      }),
      [`GET ${LIST}`]: [],
    });
    await userEvent.type(await screen.findByLabelText("Name"), "Mine");
    await userEvent.click(screen.getByRole("button", { name: "Start the evaluation" }));
    const line = await screen.findByText("Line 7: id: No.");
    expect(line.closest("ul")?.children).toHaveLength(2);
  });

  it("says that the operator gave no prices, and what the server refuses", async () => {
    const systems = ESTIMATE.systems.map((each) => ({ ...each, cost: each.requests ? null : each.cost }));
    const errors = { folds: ["Too many for these labels."], gold: ["There is no release 1."] };
    open("/start", {
      [`POST ${LIST}estimate/`]: { ...ESTIMATE, systems },
      [`POST ${LIST}`]: new Answer(400, { detail: "Some fields need to be corrected.", errors }),
      [`GET ${LIST}`]: [],
    });
    expect(await screen.findByText(/The operator gave no prices for some of them/)).toBeVisible();
    await userEvent.type(screen.getByLabelText("Name"), "Mine");
    await userEvent.click(screen.getByRole("button", { name: "Start the evaluation" }));
    await waitFor(() => expect(screen.getByLabelText("Folds")).toHaveAccessibleDescription(/Too many/));
    expect(screen.getByLabelText("Gold labels")).toHaveAccessibleDescription(/no release 1/);
  });

  it("tries five items, and shows prompt, raw answer and how each was read", async () => {
    const local = languageModel({ is_remote: false, destination: "" });
    const trial = { ...DONE, id: "t1", is_dry_run: true };
    const { sent } = open("/start", {
      [`GET ${LIST}choices/`]: choices({ language_models: [local] }),
      [`POST ${LIST}`]: new Answer(201, trial),
      "GET /api/evaluations/t1/": trial,
      "GET /api/evaluations/t1/predictions/": {
        total: 2,
        rows: [
          prediction("a", { label: "yes" }),
          prediction("b", { label: null, confidence: null, problem: "not_json", raw: "Yes!" }),
        ],
      },
    });
    await userEvent.click(await screen.findByLabelText("Small model"));
    await userEvent.click(screen.getByRole("button", { name: "Try it on five items" }));
    const [first, second] = await screen.findAllByRole("group", { name: "Raw answer" });
    expect(first).toHaveTextContent('{"label": "no"}');
    expect(second).toHaveTextContent("Yes!");
    expect(screen.getByText("as the people said")).toBeVisible();
    expect(screen.getByText(/The answer is not JSON. It counts as wrong./)).toBeVisible();
    expect(sent("POST", "/evaluations/")[0]?.body).toMatchObject({ systems: ["small"], limit: 5, pool: 0 });
  });
});

describe("an evaluation", () => {
  it("is watched, paused and cancelled after a question", async () => {
    const { sent, container } = open("/e1", {
      "GET /api/evaluations/e1/": detail(),
      "POST /api/evaluations/e1/pause/": evaluation({ state: "paused" }),
      "POST /api/evaluations/e1/cancel/": evaluation({ state: "cancelled" }),
      [`GET ${LIST}`]: [],
    });
    const row = (await screen.findByRole("rowheader", { name: "Small model" })).closest("tr");
    expect(row).toHaveTextContent("Small model40 of 1601328,0002,2000.0084 USDabout 90 s");
    await expectAccessible(container);
    await userEvent.click(screen.getByRole("button", { name: "Pause the evaluation" }));
    await waitFor(() => expect(sent("POST", "/pause/")).toHaveLength(1));
    await userEvent.click(screen.getByRole("button", { name: "Cancel the evaluation" }));
    const dialog = screen.getByRole("dialog", { name: "Cancel the evaluation?" });
    expect(sent("POST", "/cancel/")).toHaveLength(0);
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel the evaluation" }));
    await waitFor(() => expect(sent("POST", "/cancel/")).toHaveLength(1));
  });

  it("can be cancelled while it is paused", async () => {
    const { sent } = open("/e1", {
      "GET /api/evaluations/e1/": detail({ state: "paused" }),
      "POST /api/evaluations/e1/cancel/": evaluation({ state: "cancelled" }),
      [`GET ${LIST}`]: [],
    });
    await userEvent.click(await screen.findByRole("button", { name: "Cancel the evaluation" }));
    expect(screen.queryByRole("columnheader", { name: "Time left" })).toBeNull();
    const dialog = screen.getByRole("dialog", { name: "Cancel the evaluation?" });
    expect(within(dialog).getByRole("button", { name: "Keep it" })).toBeEnabled();
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel the evaluation" }));
    await waitFor(() => expect(sent("POST", "/cancel/")).toHaveLength(1));
  });

  it("says why it failed and what to do", async () => {
    const failed = detail({ state: "failed", failure: "small: the key was refused." });
    open("/e1", { "GET /api/evaluations/e1/": failed });
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "small: the key was refused.Correct what it names, then resume the evaluation.",
    );
    expect(screen.getByRole("button", { name: "Resume the evaluation" })).toBeEnabled();
  });

  it("asks again for what failed each time", async () => {
    const { sent } = open("/e1", {
      "GET /api/evaluations/e1/": { ...DONE, n_unanswered: 2 },
      "POST /api/evaluations/e1/resume/": evaluation({ state: "waiting" }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Ask for 2 missing answers" }));
    await waitFor(() => expect(sent("POST", "/resume/")).toHaveLength(1));
  });

  it("shows systems by stages, and one system in full, with a reason where there is no value", async () => {
    const { container } = open("/e1", { "GET /api/evaluations/e1/": DONE });
    const table = await screen.findByRole("table", { name: "Accuracy" });
    expect(within(table).getByRole("row", { name: /^Small model/ })).toHaveTextContent(
      "Small model0.80[0.49, 0.94]no answers",
    );
    expect(within(table).getByRole("row", { name: /^People, lowest/ })).toHaveTextContent(
      "0.80 to 0.95not asked for",
    );
    await userEvent.click(screen.getByRole("button", { name: "Macro-F1" }));
    expect(screen.getByRole("row", { name: /^Small model/ })).toHaveTextContent("0.73[0.40, 1.00]");
    await userEvent.click(screen.getByRole("button", { name: "Opinion" }));
    const confusion = screen.getAllByRole("group", { name: "Confusion of labels" })[0] as HTMLElement;
    expect(within(confusion).getByRole("row", { name: /^no / })).toHaveTextContent(
      "no0 0.0 %2 20.0 %1 10.0 %3",
    );
    expect(screen.getByText(/It passes the test/)).toBeVisible();
    expect(screen.getByText("No value. The labelled items are no random sample.")).toBeVisible();
    expect(screen.getByText("No value. It takes 20 answers.")).toBeVisible();
    expect(screen.getByText(/8 predictions as the people said, 2 not/)).toBeVisible();
    expect(screen.getByRole("link", { name: "Work through its errors" })).toHaveAttribute(
      "href",
      `${HERE}/e1/errors?system=small&stage=opinion`,
    );
    await userEvent.selectOptions(screen.getByLabelText("System in detail"), "majority");
    expect(screen.getByText("No value. The system stated no confidence.")).toBeVisible();
    await expectAccessible(container);
  });

  it("shows the items of a system that answered only some, and names no best of it", async () => {
    const [stage, ...others] = (DONE.figures as Figures).stages as [StageFigures];
    const partial = { ...(stage.systems[1] as SystemFigures), n: 4, accuracy: 1 };
    const figures = {
      ...DONE.figures,
      stages: [{ ...stage, systems: [stage.systems[0], partial] }, ...others],
    };
    open("/e1", { "GET /api/evaluations/e1/": { ...DONE, figures } });
    const table = await screen.findByRole("table", { name: "Accuracy" });
    const row = within(table).getByRole("row", { name: /^Small model/ });
    expect(row).toHaveTextContent("Small model1.00[0.49, 0.94]n = 4");
    expect(row.querySelector("b")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Opinion" }));
    expect(screen.getAllByRole("columnheader", { name: "Items" })[0]).toBeVisible();
  });

  it("folds many notices", async () => {
    const notices = ["One.", "Two.", "Three."];
    open("/e1", { "GET /api/evaluations/e1/": { ...DONE, notices } });
    const folded = await screen.findByText("3 notices about the systems");
    expect(folded.closest("details")).not.toHaveAttribute("open");
    expect(screen.getByText("Three.")).not.toBeVisible();
  });

  it("offers every file, and stores at once what adjudicators see", async () => {
    const { sent } = open("/e1", {
      "GET /api/evaluations/e1/": DONE,
      "POST /api/evaluations/e1/shown/": evaluation({ shown_to_adjudicators: ["small"] }),
    });
    const links = await screen.findAllByRole("link", { name: "LaTeX of “accuracy”" });
    // Below the table, and among all files.
    expect(links.map((link) => link.getAttribute("href"))).toEqual(
      Array(2).fill("/api/evaluations/e1/files/accuracy.tex/"),
    );
    await userEvent.click(await screen.findByLabelText("Small model"));
    await waitFor(() => expect(sent("POST", "/shown/")[0]?.body).toEqual({ systems: ["small"] }));
  });
});

describe("the errors", () => {
  const ROWS = [prediction("a"), prediction("b", { confidence: 0.9 }), prediction("c", { confidence: 0.8 })];

  function openErrors() {
    const causes = [{ id: "c1", name: "sarcasm", n: 4 }];
    const named =
      (id: string) =>
      ({ body }: { body: unknown }) => {
        const cause = causes.find((each) => each.id === (body as { cause: string | null }).cause) ?? null;
        return prediction(id, { cause });
      };
    return open("/e1/errors?system=small&stage=opinion", {
      "GET /api/evaluations/e1/": DONE,
      "GET /api/evaluations/e1/predictions/": { total: 3, rows: ROWS },
      "GET /api/projects/p1/error-causes/": () => causes,
      "POST /api/projects/p1/error-causes/": ({ body }: { body: unknown }) => {
        const made = { id: "c2", n: 0, ...(body as { name: string }) };
        causes.push(made);
        return new Answer(201, made);
      },
      ...Object.fromEntries(
        ROWS.flatMap((row) => [
          [`GET /api/predictions/${row.id}/`, predictionDetail(row)],
          [`POST /api/predictions/${row.id}/cause/`, named(row.id)],
        ]),
      ),
    });
  }

  it("are named by key, one after the other, and taken back", async () => {
    const { sent, container } = openErrors();
    await screen.findByRole("button", { name: /sarcasm/ });
    expect(await screen.findByText("yes: 3 votes, no: 0 votes")).toBeVisible();
    await expectAccessible(container);
    await userEvent.keyboard("1");
    await waitFor(() =>
      expect(screen.getByRole("button", { name: /said b/ })).toHaveAttribute("aria-current"),
    );
    expect(sent("POST", "/predictions/a/cause/")[0]?.body).toEqual({ cause: "c1" });
    expect(within(screen.getByRole("button", { name: /said a/ })).getByText("sarcasm")).toBeVisible();
    await userEvent.keyboard("j");
    expect(screen.getByRole("button", { name: /said c/ })).toHaveFocus();
    await userEvent.keyboard("u");
    await waitFor(() => expect(screen.getByRole("button", { name: /said a/ })).toHaveFocus());
    expect(sent("POST", "/predictions/a/cause/")[1]?.body).toEqual({ cause: null });
  });

  it("get a new cause from a dialog that a key opens", async () => {
    const { sent } = openErrors();
    await screen.findByRole("button", { name: /sarcasm/ });
    await userEvent.keyboard("n");
    await userEvent.type(screen.getByRole("textbox", { name: "Cause" }), "A quotation");
    await userEvent.click(screen.getByRole("button", { name: "Add and name it" }));
    await waitFor(() => expect(sent("POST", "/predictions/a/cause/")[0]?.body).toEqual({ cause: "c2" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("are asked for by filters that the address keeps, and taken away as a table", async () => {
    const { asked, router } = openErrors();
    expect(await screen.findByRole("link", { name: "Download as LaTeX" })).toHaveAttribute(
      "href",
      "/api/evaluations/e1/error-table/tex/?system=small&stage=opinion&k=5",
    );
    await userEvent.selectOptions(screen.getByLabelText("Confidence, at least"), "0.9");
    await waitFor(() => expect(router.state.location.search).toContain("least_confidence=0.9"));
    await waitFor(() =>
      expect(
        asked.some(({ path }) => path.includes("least_confidence=0.9") && path.includes("only=errors")),
      ).toBe(true),
    );
  });
});
