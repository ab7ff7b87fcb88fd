import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { expectAccessible, renderScreen, serve } from "../../../test/admin";
import { CLOSED, person, ROW, textSet, VERSION } from "../../../test/factoidSets";
import type { Phase, Scores, SetAgreement, TextSet } from "../types";
import { Component } from "./index";

const ANNOTATION: Phase = {
  ...{ ...CLOSED, id: "f2", number: 2, kind: "annotation", given_version: 1 },
  people: [person("m2", "Ann", { list: "list-2" }), person("m3", "Ben", { list: "list-3" })],
};
const SET = textSet({ phases: [CLOSED, ANNOTATION], consensus: [VERSION] });

const SCORES: Scores = {
  weights: { P10: 0.4, P1: 1, P6: 0.8, P2: 0.4 },
  consensus: ["P1", "P6"],
  scores: [
    {
      text: "H01",
      is_system: false,
      is_later: false,
      score: 0.857,
      reason: null,
      gold: null,
      gold_reason: null,
    },
    {
      text: "H02",
      is_system: false,
      is_later: false,
      score: null,
      reason: "it has no factoid",
      gold: 0.571,
      gold_reason: null,
    },
    {
      ...{ text: "S01", is_system: true, is_later: false, score: 1, reason: null },
      ...{ gold: null, gold_reason: "no factoid" },
    },
  ],
};

const POINTS = [{ m: 2, n: 100, rho: 0.315, sd: 0.459, reason: null }];

function open(
  set: TextSet = SET,
  agreement: Partial<SetAgreement> = {},
  routes: Record<string, unknown> = {},
) {
  const asked = serve({
    "GET /api/projects/p1/text-sets/": { sets: [set], mine: [] },
    "GET /api/text-sets/s1/agreement/": { annotation: [], definition: [], ...agreement },
    "GET /api/factoid-lists/v1/scores/": SCORES,
    "GET /api/factoid-lists/v1/": { factoids: [{ id: "P1", description: "A ferry ran aground" }] },
    "GET /api/factoid-lists/v1/stability/": { points: POINTS },
    ...routes,
  });
  return { asked, ...renderScreen(Component, {}, "/s1", "/:setId") };
}

describe("agreement", () => {
  it("says what each table waits for", async () => {
    open(textSet());
    expect(await screen.findByText(/a closed annotation phase of two people or more/)).toBeVisible();
    expect(screen.getByText(/a closed definition phase whose pairs are judged/)).toBeVisible();
    expect(screen.getByText(/a closed phase or a published consensus list/)).toBeVisible();
  });

  it("shows Figure 1 with the interval, and the reason of what has no value", async () => {
    const flat = {
      ...{ ...ROW, phase: 3, phase_id: "f3", K: null, cohen: null, low: null, high: null, P_A: 1, P_E: 1 },
      reason: "undefined, no variation: every answer is there",
    };
    const { container } = open(SET, { annotation: [ROW, flat] });
    const table = within(await screen.findByRole("table", { name: "Agreement of annotation" }));
    const rows = table.getAllByRole("row").slice(1);
    expect(
      within(rows[0] as HTMLElement)
        .getAllByRole("cell")
        .map((cell) => cell.textContent),
    ).toEqual([
      ...["Ann and Ben", "0.86[0.69, 1.00]", "48", "2", "2", "0.929", "0.503", "0.86", "Disagreements"],
    ]);
    expect(rows[1]).toHaveTextContent("Benundefined, no variation: every answer is there");
    expect(within(rows[1] as HTMLElement).queryByRole("button")).toBeNull();
    await expectAccessible(container);
  });

  it("opens the disagreements of a definition, page by page", async () => {
    const item = {
      ...{ key: "p2", key_b: "f2", id: "P2", id_b: "F2", description: "It was a Tuesday", text: "H03" },
      description_b: "Tuesday",
      answers: [
        { name: "Ann", is_there: true },
        { name: "Ben", is_there: false },
      ],
    };
    const row = { ...ROW, phase: 1, phase_id: "f1", pairing: "x1" };
    const apart = { ...row, relation: "equal" as const };
    const { asked, router } = open(
      SET,
      { definition: [row, apart] },
      { "GET /api/factoid-phases/f1/disagreements/": { total: 51, items: [item] } },
    );
    const button = await screen.findByRole("button", {
      name: "See the disagreements of Ann and Ben in phase 1",
    });
    await userEvent.click(button);
    const region = within(await screen.findByRole("region", { name: /Disagreements in phase 1/ }));
    expect(await region.findByText("Page 1 of 2")).toBeVisible();
    expect(region.getAllByRole("row")[1]).toHaveTextContent(
      "P2 It was a TuesdayF2 TuesdayH03Ann: thereBen: not there",
    );
    expect(region.getByRole("link", { name: "See the pairs themselves" })).toHaveAttribute(
      "href",
      "/projects/p1/factoids/pairings/x1",
    );
    expect(router.state.location.search).toBe("?phase=f1&pairing=x1");
    await userEvent.click(region.getByRole("button", { name: "Forward" }));
    await waitFor(() =>
      expect(asked.at(-1)?.path).toBe("/api/factoid-phases/f1/disagreements/?pairing=x1&limit=50&offset=50"),
    );
  });
});

describe("scores", () => {
  it("shows weights from the heaviest, and the summary by its threshold", async () => {
    const { asked, container } = open();
    const table = within(await screen.findByRole("table", { name: "Weights of factoids" }));
    const rows = table.getAllByRole("row").slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      "P1A ferry ran aground1.000 in",
      "P6–0.800 in",
      "P2–0.400 ",
      "P10–0.400 ",
    ]);
    expect(screen.getByText("2 of 4 factoids in the summary")).toBeVisible();
    expect(screen.getByRole("slider")).toHaveValue("0.5");
    expect(asked.some(({ path }) => path.endsWith("/scores/?share=0.5"))).toBe(true);
    await expectAccessible(container);
  });

  it("ranks texts, names systems, and says why a text has no score", async () => {
    const { asked } = open();
    const table = () => screen.findByRole("table", { name: "Scores of texts" });
    expect(
      within(await table())
        .getAllByRole("row")
        .slice(1)
        .map((row) => row.textContent),
    ).toEqual(["S01 system1.000", "H01 0.857", "H02 none: it has no factoid"]);
    await userEvent.selectOptions(screen.getByLabelText("Compare with one text"), "H01");
    await waitFor(() => expect(asked.some(({ path }) => path.endsWith("?share=0.5&gold=H01"))).toBe(true));
    const gold = within(await table())
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.lastElementChild?.textContent);
    expect(gold).toEqual(["none: no factoid", "itself", "0.571"]);
    expect(screen.getByRole("link", { name: "CSV of “Scores”" })).toHaveAttribute(
      "href",
      "/api/text-sets/s1/files/scores.csv/?list=v1&gold=H01",
    );
  });

  it("draws rank stability with its numbers, and draws again by another seed", async () => {
    const { asked } = open();
    const figure = within(await screen.findByRole("region", { name: "How many texts are enough" }));
    expect(figure.getByRole("img", { name: /rho by the number of texts/ })).toBeInTheDocument();
    await userEvent.click(figure.getByText("The numbers"));
    expect(figure.getAllByRole("row")[1]).toHaveTextContent("21000.3150.459");
    await userEvent.clear(figure.getByLabelText("Random seed"));
    await userEvent.type(figure.getByLabelText("Random seed"), "7");
    await userEvent.click(figure.getByRole("button", { name: "Draw again" }));
    await waitFor(() => expect(asked.at(-1)?.path).toContain("draws=100&seed=7"));
    expect(figure.getByRole("link", { name: "SVG of “Rank stability”" })).toHaveAttribute(
      "href",
      "/api/text-sets/s1/files/stability.svg/?list=v1&draws=100&seed=7",
    );
  });

  it("says how many texts stability needs", async () => {
    open(SET, {}, { "GET /api/factoid-lists/v1/stability/": { points: [] } });
    expect(await screen.findByText("It needs four texts that vote, or more.")).toBeVisible();
  });
});
