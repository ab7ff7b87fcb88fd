import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Answer, expectAccessible } from "../../test/admin";
import { AFTER_ONE, page, round, SCORING, SPANS_ONLY } from "../../test/rounds";
import { open, ROUNDS, start } from "../../test/roundsPage";

describe("the next round", () => {
  const complete = page({ rounds: [round()], next: AFTER_ONE });

  it("sends only the options that were set, and the alternative", async () => {
    const { asked, container } = open(complete, { [`POST ${ROUNDS}`]: new Answer(201, SCORING) });
    await userEvent.click(await screen.findByLabelText("Contrastive (CAL)"));
    await userEvent.type(screen.getByLabelText("k"), "25");
    await userEvent.click(screen.getByLabelText("Draw at random, and say so on the round"));
    await userEvent.click(screen.getByLabelText("Dag"));
    await expectAccessible(container);
    await start();
    await waitFor(() => expect(asked.some(({ method }) => method === "POST")).toBe(true));
    expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({
      strategy: "cal",
      options: { k: 25 },
      annotators: ["m2", "m3", "m4"],
      annotators_per_item: 3,
      label_phase: 1,
      use_adjudicated: false,
      allowed_alternative: "random",
    });
  });

  it("names what a start gives out and freezes, and does nothing when left", async () => {
    const { asked, container } = open(complete);
    await userEvent.click(await screen.findByRole("button", { name: "Start round 2" }));
    const dialog = screen.getByRole("dialog", { name: "Start round 2?" });
    expect(dialog).toHaveTextContent(
      "150 items of the pool and gives each to 3 people: 450 assignments for 4 people",
    );
    expect(dialog).toHaveTextContent("freezes the answers given so far, those of round 1 too");
    await expectAccessible(container);
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
  });

  it("shows what a preset changes, and leaves it to the server", async () => {
    const { asked } = open(complete, { [`POST ${ROUNDS}`]: new Answer(201, SCORING) });
    await userEvent.click(await screen.findByLabelText("Contrastive (CAL)"));
    const metric = screen.getByLabelText("metric");
    expect(screen.getByLabelText("k")).toHaveAccessibleDescription(/empty: 100 \(default\)/);
    expect(metric).toHaveDisplayValue("cosine (default)");
    await userEvent.selectOptions(screen.getByLabelText("preset"), "cal_authors");
    expect(screen.getByLabelText("preset")).toHaveAccessibleDescription(
      /It sets k = 10, metric = euclidean_unit\./,
    );
    expect(screen.getByLabelText("k")).toHaveAccessibleDescription(/empty: 10 \(the preset\)/);
    expect(metric).toHaveDisplayValue("euclidean_unit (the preset)");
    await userEvent.selectOptions(metric, "cosine");
    await start();
    await waitFor(() => expect(asked.some(({ method }) => method === "POST")).toBe(true));
    expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({
      options: { preset: "cal_authors", metric: "cosine" },
    });
  });

  it("asks how scores join only where a model learns several stages", async () => {
    const { asked, container } = open(complete, { [`POST ${ROUNDS}`]: new Answer(201, SCORING) });
    await userEvent.click(await screen.findByText("More settings"));
    expect(screen.getByLabelText("Opinion (opinion)")).toBeChecked();
    expect(screen.queryByLabelText("Maximum")).toBeNull();
    await userEvent.click(screen.getByLabelText("Monetary policy (mp)"));
    await userEvent.click(screen.getByLabelText("Maximum"));
    await userEvent.click(screen.getByLabelText("Uniform random"));
    expect(screen.queryByLabelText("Maximum")).toBeNull();
    await userEvent.click(screen.getByLabelText("Maximum entropy"));
    await expectAccessible(container);
    await start();
    await waitFor(() => expect(asked.some(({ method }) => method === "POST")).toBe(true));
    expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({
      learning_stages: ["opinion", "mp"],
      combine: "max",
    });
  });

  it("draws part of the batch at random, and no text twice, when asked to", async () => {
    const { asked } = open(complete, { [`POST ${ROUNDS}`]: new Answer(201, SCORING) });
    await userEvent.click(await screen.findByText("More settings"));
    const share = screen.getByLabelText("Drawn at random, percent");
    await userEvent.clear(share);
    await userEvent.type(share, "120");
    await start();
    expect(share).toHaveAccessibleDescription(/whole number from 0 to 100/);
    await userEvent.clear(share);
    await userEvent.type(share, "20");
    await userEvent.click(screen.getByLabelText("No two items of one text in the batch"));
    await userEvent.type(screen.getByLabelText("Learning rate"), "3e-4");
    await start();
    await waitFor(() => expect(asked.some(({ method }) => method === "POST")).toBe(true));
    expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({
      random_share: 0.2,
      no_duplicate_texts: true,
      learning_rate: 0.0003,
    });
  });

  it("needs a stage to learn", async () => {
    const { asked } = open(complete);
    await userEvent.click(await screen.findByText("More settings"));
    await userEvent.click(screen.getByLabelText("Opinion (opinion)"));
    await start();
    expect(screen.getByRole("group", { name: "Stages the model learns" })).toHaveAccessibleDescription(
      /Choose at least one stage/,
    );
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
  });

  it("checks numbers before it sends them", async () => {
    const { asked } = open(complete);
    await userEvent.click(await screen.findByLabelText("Contrastive (CAL)"));
    await userEvent.type(screen.getByLabelText("k"), "0");
    await userEvent.clear(screen.getByLabelText("Items in the batch"));
    await start();
    expect(screen.getByLabelText("k")).toHaveAccessibleDescription(/whole number from 1 to 10000/);
    expect(screen.getByLabelText("Items in the batch")).toBeInvalid();
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
  });

  it("shows the server's 400 at its field and keeps what was typed", async () => {
    const errors = { query_size: ["The project's budget has 60 of 1050 items left."], "options.k": ["Odd."] };
    open(complete, {
      [`POST ${ROUNDS}`]: new Answer(400, { detail: "Some fields need to be corrected.", errors }),
    });
    await start();
    expect(await screen.findByLabelText("Items in the batch")).toHaveAccessibleDescription(/60 of 1050/);
    // No field of the chosen strategy takes this one, so that the notice does.
    expect(screen.getByRole("alert")).toHaveTextContent("options.k: Odd.");
  });

  it("shows a 409 in the server's words", async () => {
    const detail = "Somebody else has just started another round of this project.";
    open(complete, { [`POST ${ROUNDS}`]: new Answer(409, { code: "round_active", detail }) });
    await start();
    expect(await screen.findByRole("alert")).toHaveTextContent(detail);
  });
});

describe("a codebook without stages", () => {
  const STAGELESS = round({ learning_stages: [] });
  const routes = {
    "GET /api/projects/p1/codebooks/": [SPANS_ONLY],
    [`POST ${ROUNDS}`]: new Answer(201, STAGELESS),
  };
  const next = { ...AFTER_ONE, suggested_strategy: "ngram_density" };
  const density = { name: "ngram_density", title: "N-gram density", summary: "Unread words." };
  const strategies = [...page().strategies, { ...density, needs_model: false, options: [], presets: {} }];

  it("is offered only what needs no model, and says why", async () => {
    const { asked, container } = open(page({ rounds: [STAGELESS], strategies, next }), routes);
    const choices = await screen.findByRole("group", { name: "How the items are chosen" });
    expect(within(choices).getByLabelText("Uniform random")).toBeVisible();
    expect(within(choices).getByLabelText("N-gram density")).toBeChecked();
    expect(within(choices).queryByLabelText("Maximum entropy")).toBeNull();
    expect(choices).toHaveAccessibleDescription(/no labels for a model to learn/);
    expect(screen.queryByRole("group", { name: "Stages the model learns" })).toBeNull();
    expect(screen.getByText(/Once the next round starts, its answers are frozen\.$/)).toBeVisible();
    await expectAccessible(container);
    await start(/^Start round/);
    await waitFor(() => expect(asked.some(({ method }) => method === "POST")).toBe(true));
    expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({
      strategy: "ngram_density",
      learning_stages: [],
    });
  });

  it("has no figures of labels, and asks for none", async () => {
    const { asked } = open(page({ rounds: [STAGELESS], strategies, next }), routes);
    await screen.findByRole("group", { name: "How the items are chosen" });
    expect(screen.queryByRole("button", { name: /figures/ })).toBeNull();
    expect(asked.map(({ path }) => path).filter((path) => /agreement|insights/.test(path))).toEqual([]);
    expect(screen.getByText(/no stage that a model can learn/)).toBeVisible();
  });
});
