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
  BERTSCORE,
  choices,
  DONE,
  detail,
  ESTIMATE,
  FIGURES,
  generation,
  instance,
  interpretation,
} from "../../test/interpretations";
import { LAYER } from "../../test/spanFixtures";
import { Component as Generations } from "./generations";
import { Component as Main } from "./index";
import { Component as Instances } from "./instances";
import { Component as Start } from "./start";

const LIST = "/api/projects/p1/interpretations/";
const HERE = "/projects/p1/interpretations";
const WORKERS = {
  broker: true,
  models: { alive: true, seen_seconds_ago: 1 },
  light: { alive: true, seen_seconds_ago: 1 },
};
const CODEBOOK = {
  ...{ id: "c1", version: 1, published_at: "2025-11-20T09:00:00Z", compatible: null, changes: null },
  definition: { name: "Spans", stages: [], span_layer: LAYER },
};

function open(path: string, routes: Record<string, unknown>) {
  const asked = serve({
    "GET /api/projects/p1/workers/": WORKERS,
    "GET /api/projects/p1/codebooks/": [CODEBOOK],
    [`GET ${LIST}`]: [],
    [`GET ${LIST}choices/`]: choices(),
    [`POST ${LIST}estimate/`]: ESTIMATE,
    [`GET ${LIST}i1/`]: DONE,
    [`GET ${LIST}i1/results/`]: FIGURES,
    ...routes,
  });
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { retry: false } });
  client.setQueryData(meQuery.queryKey, ME);
  const screenAt = (screenPath: string, Screen: ComponentType) => ({
    path: HERE + screenPath,
    element: (
      <RequireSession>
        <ProjectContext value={{ ...PROJECT, has_spans: true }}>
          <Screen />
        </ProjectContext>
      </RequireSession>
    ),
  });
  const router = createMemoryRouter(
    [
      screenAt("/:interpretationId?", Main),
      screenAt("/start", Start),
      screenAt("/:interpretationId/generations", Generations),
      screenAt("/:interpretationId/instances", Instances),
    ],
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

describe("the list of interpretations", () => {
  it("says what an interpretation is and needs, where there is none", async () => {
    const { container } = open("", {});
    expect(await screen.findByRole("heading", { name: "No interpretations yet" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Start an interpretation" })).toHaveAttribute(
      "href",
      `${HERE}/start`,
    );
    await expectAccessible(container);
  });

  it("shows state, progress and the main figures", async () => {
    const headline = [{ name: "lead", title: "Lead", main_mean: 0.72, rouge2: 0.18 }];
    open("", {
      [`GET ${LIST}`]: [
        interpretation({ id: "i2", number: 2, name: "Second" }),
        interpretation({ state: "done", headline }),
      ],
    });
    const running = (await screen.findByRole("link", { name: "2. Second" })).closest("tr");
    expect(running).toHaveTextContent("running12.0 % of all");
    const done = screen.getByRole("link", { name: "1. Lead against Oracle" }).closest("tr");
    expect(done).toHaveTextContent("Lead: 72.0 % right, ROUGE-2 18.00");
  });
});

describe("the start form", () => {
  it("counts, warns, adds a system, and starts", async () => {
    const { container, router, sent } = open("/start", {
      [`POST ${LIST}`]: new Answer(201, detail({ state: "waiting" })),
      [`GET ${LIST}i1/`]: detail({ state: "waiting" }),
    });
    expect(await screen.findByLabelText("Act")).toHaveAccessibleDescription(
      /Tests the words of act\..*1 of 2 classes is not validated/,
    );
    expect(screen.getByLabelText("Motive")).toBeDisabled();
    expect(
      await screen.findByText("In all about 4 min. You need not wait: it goes on without the page."),
    ).toBeVisible();
    expect(screen.getByText(/^2: targets without a source document/)).toHaveTextContent("(t8 and t9)");
    await userEvent.click(screen.getByRole("button", { name: /^97 instances of all evaluations/ }));
    expect(screen.getByText(/8 in no class/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Add a system" }));
    const second = screen.getByRole("group", { name: "System 2" });
    await userEvent.selectOptions(within(second).getByLabelText("Filter"), "filterbert");
    expect(within(second).getByLabelText("Encoder of the filter")).toHaveValue("minilm");
    expect(within(second).getByLabelText("Title in the tables")).toHaveAttribute(
      "placeholder",
      "BERT: MiniLM, FilterBERT",
    );
    await userEvent.click(screen.getByRole("button", { name: /^Advanced/ }));
    await userEvent.selectOptions(screen.getByLabelText("Rules of instances"), "code");
    await userEvent.type(screen.getByLabelText("Learning rate, at most"), "0.0002");
    await expectAccessible(container);
    await userEvent.click(screen.getByRole("button", { name: "Start the interpretation" }));
    expect(screen.getByLabelText("Name")).toHaveFocus();
    await userEvent.type(screen.getByLabelText("Name"), "Mine");
    await userEvent.click(screen.getByRole("button", { name: "Start the interpretation" }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`${HERE}/i1`));
    expect(sent("POST", "/interpretations/")[0]?.body).toMatchObject({
      ...{ name: "Mine", data: "current", evaluations: ["v1"] },
      systems: [{ filter: "lead" }, { filter: "filterbert", filter_model: "minilm" }],
      ...{ rules: "code", replace_positive: false },
      training: { learning_rate: 0.0002, schedule: "paper", patience: 1, batch_size: 4 },
    });
  });

  it("names the same sending by the same id, and another one by another", async () => {
    const { sent } = open("/start", {
      [`POST ${LIST}`]: new Answer(502, { detail: "The answer was lost." }),
    });
    const start = () => userEvent.click(screen.getByRole("button", { name: "Start the interpretation" }));
    await userEvent.type(await screen.findByLabelText("Name"), "Mine");
    await start();
    await waitFor(() => expect(sent("POST", "/interpretations/")).toHaveLength(1));
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Start the interpretation" })).toBeEnabled(),
    );
    await start();
    await waitFor(() => expect(sent("POST", "/interpretations/")).toHaveLength(2));
    await userEvent.type(screen.getByLabelText("Name"), " too");
    await start();
    await waitFor(() => expect(sent("POST", "/interpretations/")).toHaveLength(3));
    const ids = sent("POST", "/interpretations/").map(
      ({ body }) => (body as { client_id: string }).client_id,
    );
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect([ids[1] === ids[0], ids[2] === ids[0]]).toEqual([true, false]);
  });

  it("shows what the server refuses at its place, and keeps what was typed", async () => {
    const errors = {
      "systems[0].budget": ["Too much for this model."],
      "generation.limit": ["Too many."],
      "evaluations[0]": ["It was removed."],
    };
    open("/start", {
      [`POST ${LIST}`]: new Answer(400, { detail: "Some fields need to be corrected.", errors }),
    });
    await userEvent.type(await screen.findByLabelText("Name"), "Mine");
    await userEvent.click(screen.getByRole("button", { name: "Start the interpretation" }));
    await waitFor(() =>
      expect(screen.getByLabelText("Budget in tokens")).toHaveAccessibleDescription(/Too much/),
    );
    expect(screen.getByLabelText("Sources, at most")).toHaveAccessibleDescription(/Too many/);
    expect(screen.getByRole("group", { name: "Evaluations" })).toHaveAccessibleDescription(/It was removed/);
    expect(screen.getByLabelText("Name")).toHaveValue("Mine");
  });
});

describe("an interpretation", () => {
  it("is watched, paused, and cancelled after a question", async () => {
    const { sent, container } = open("/i1", {
      [`GET ${LIST}i1/`]: detail(),
      [`POST ${LIST}i1/pause/`]: detail({ state: "paused" }),
      [`POST ${LIST}i1/cancel/`]: detail({ state: "cancelled" }),
    });
    const progress = await screen.findByRole("group", { name: "Progress of each system" });
    expect(within(progress).getByRole("row", { name: /^Lead/ })).toHaveTextContent(
      "LeadTraining (2 of 4)40 of 400 training stepsabout 90 s2",
    );
    expect(within(progress).getByRole("row", { name: /^Oracle/ })).toHaveTextContent("Oraclewaits0");
    expect(screen.getByText(/lowest after epoch 2: 3\.250/)).toBeVisible();
    await expectAccessible(container);
    await userEvent.click(screen.getByRole("button", { name: "Pause the interpretation" }));
    await waitFor(() => expect(sent("POST", "/pause/")).toHaveLength(1));
    await userEvent.click(screen.getByRole("button", { name: "Cancel the interpretation" }));
    const dialog = screen.getByRole("dialog", { name: "Cancel the interpretation?" });
    expect(sent("POST", "/cancel/")).toHaveLength(0);
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel the interpretation" }));
    await waitFor(() => expect(sent("POST", "/cancel/")).toHaveLength(1));
  });

  it("is removed with its files after a question, once it has ended", async () => {
    const { sent, router } = open("/i1", {
      [`GET ${LIST}i1/`]: detail({ state: "cancelled" }),
      [`POST ${LIST}i1/remove/`]: new Answer(204, null),
    });
    expect(await screen.findByText(/It was cancelled for good/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Resume the interpretation" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Remove the interpretation" }));
    const dialog = screen.getByRole("dialog", { name: "Remove “Lead against Oracle”?" });
    expect(sent("POST", "/remove/")).toHaveLength(0);
    await userEvent.click(within(dialog).getByRole("button", { name: "Remove it with its files" }));
    await waitFor(() => expect(router.state.location.pathname).toBe(HERE));
    expect(sent("POST", "/remove/")).toHaveLength(1);
  });

  it("says why it failed and what to do", async () => {
    open("/i1", { [`GET ${LIST}i1/`]: detail({ state: "failed", failure: "Lead: the memory was full." }) });
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "Lead: the memory was full.Correct what it names, then resume it",
    );
    expect(screen.getByRole("button", { name: "Resume the interpretation" })).toBeEnabled();
  });

  it("shows the tables of the paper, systems side by side", async () => {
    const { container } = open("/i1", {});
    const accuracy = await screen.findByRole("table", { name: "Accuracy by equivalence classes" });
    expect(within(accuracy).getByRole("columnheader", { name: "Act (97)" })).toBeVisible();
    expect(within(accuracy).getByRole("row", { name: /^Lead/ })).toHaveTextContent(
      "72.2 %[50.0, 90.0]72.2 %",
    );
    expect(within(accuracy).getByRole("row", { name: /^Chance/ })).toHaveTextContent("50.0 %");
    const texts = screen.getByRole("table", { name: "Generated texts beside their references" });
    expect(within(texts).getByRole("columnheader", { name: BERTSCORE })).toBeVisible();
    expect(within(texts).getByRole("row", { name: /^Oracle/ })).toHaveTextContent("22.00[17.00, 27.00]");
    await userEvent.click(screen.getByRole("button", { name: "Without markers" }));
    expect(within(texts).getByRole("row", { name: /^Oracle/ })).toHaveTextContent("17.00[12.00, 22.00]");
    const categories = screen.getByRole("table", { name: "Marked spans in a text" });
    expect(within(categories).getByRole("row", { name: /^References/ })).toHaveTextContent(
      "1.60± 0.93 (0.98)",
    );
    expect(within(categories).getByRole("row", { name: /^Lead/ })).toHaveTextContent("n = 9");
    const pairs = screen.getByRole("group", { name: "Lead – Oracle" });
    expect(within(pairs).getByRole("row", { name: /^Act/ })).toHaveTextContent("Act3180.0100.020");
    expect(screen.getByText(/8 in no class/)).toBeVisible();
    expect(screen.getAllByRole("link", { name: "LaTeX of “accuracy”" })[0]).toHaveAttribute(
      "href",
      `${LIST}i1/files/accuracy.tex/`,
    );
    await expectAccessible(container);
  });

  it("moves through the confusion of classes by arrows, and opens a cell's instances by Enter", async () => {
    const { router, asked } = open("/i1", {
      [`GET ${LIST}i1/instances/`]: { total: 1, rows: [instance()] },
    });
    const grid = await screen.findByRole("grid", { name: "Mistakes of Oracle: Act" });
    const cells = within(grid).getAllByRole("gridcell");
    expect(cells.map((cell) => cell.getAttribute("aria-label"))).toEqual([
      "no instances: true Cuts, false Cuts",
      "12 of 60 are mistakes: true Cuts, false 2. “held rates”",
      "0 of 37 are mistakes: true 2. “held rates”, false Cuts",
      "no instances: true 2. “held rates”, false 2. “held rates”",
    ]);
    cells[0]?.focus();
    await userEvent.keyboard("{Enter}{ArrowRight}{ArrowRight}");
    expect(cells[1]).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe(`${HERE}/i1/instances`));
    expect(await screen.findByText("True: Cuts. False: 2. “held rates”.", { exact: false })).toBeVisible();
    expect(asked.some(({ path }) => path.includes("positive_class=0&negative_class=1&mistakes=true"))).toBe(
      true,
    );
  });

  it("compares with another interpretation, or says why not", async () => {
    const reason = "They have other instances: the seeds differ.";
    open("/i1?other=i2", {
      [`GET ${LIST}`]: [interpretation({ id: "i2", number: 2, name: "Second", state: "done" })],
      [`GET ${LIST}i1/compare/`]: { same: false, reason, pairs: [] },
    });
    expect(await screen.findByText(reason)).toBeVisible();
    expect(screen.getByRole("combobox", { name: "Interpretation" })).toHaveValue("i2");
  });
});

describe("the instances", () => {
  it("show the prefix with its markers, both continuations, and how likely each is", async () => {
    const { container } = open("/i1/instances?system=oracle&annotation=act&evaluation=act&mistakes=1", {
      [`GET ${LIST}i1/instances/`]: { total: 1, rows: [instance()] },
    });
    const card = await screen.findByRole("article", { name: "Press release, target t1" });
    expect(within(card).getByText("Sentence begins", { exact: false })).toBeInTheDocument();
    expect(card).toHaveTextContent("cut rateslog p = −9.50");
    expect(card).toHaveTextContent("held rateslog p = −8.25 likelier");
    expect(within(card).getByText("mistake")).toBeVisible();
    expect(within(card).getByRole("link", { name: "Look at news-1" })).toHaveAttribute(
      "href",
      "/projects/p1/validation/item-1",
    );
    await expectAccessible(container);
  });
});

describe("the generated texts", () => {
  it("stand beside their references, and are paged by keys", async () => {
    const { container, asked } = open("/i1/generations", {
      [`GET ${LIST}i1/generations/`]: ({ path }: { path: string }) => ({
        total: 2,
        rows: [generation(path.includes("offset=1") ? { number: 1, source_title: "Second release" } : {})],
      }),
    });
    expect(await screen.findByRole("heading", { name: "Press release" })).toBeVisible();
    expect(screen.getByRole("group", { name: "What Lead wrote" })).toHaveTextContent(
      "The board cut rates now",
    );
    expect(await screen.findAllByRole("button", { name: "Act: cut rates" })).toHaveLength(2);
    expect(screen.getByText("MOTIVE begins and never ends.")).toBeVisible();
    expect(screen.getByText(/lowers/)).toBeVisible();
    expect(screen.getByText("It cut rates.")).not.toBeVisible();
    await userEvent.keyboard("s");
    expect(screen.getByText("It cut rates.")).toBeVisible();
    await expectAccessible(container);
    await userEvent.keyboard("j");
    expect(await screen.findByRole("heading", { name: "Second release" })).toBeVisible();
    expect(screen.getByText("Text 2 of 2")).toBeVisible();
    expect(screen.getByRole("button", { name: "Forward" })).toBeDisabled();
    await userEvent.selectOptions(screen.getByLabelText("System"), "oracle");
    await waitFor(() => expect(asked.at(-1)?.path).toContain("system=oracle&limit=1&offset=1"));
  });
});
