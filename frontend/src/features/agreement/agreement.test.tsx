import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { AgreementPage } from "../../api/agreement";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import { agreementRow as row, STATISTICS, statistic } from "../../test/agreement";
import { Component } from "./index";

const NO_VARIATION = "undefined, no variation: every answer is Yes";

const PAGE: AgreementPage = {
  scope: "all",
  phase: 1,
  second_looks: [],
  stages: [
    { key: "opinion", title: "Opinion", coefficient: "alpha_nominal" },
    { key: "mp", title: "Monetary policy", coefficient: "alpha_nominal" },
  ],
  annotators: [
    { number: 2, display_name: "Ann" },
    { number: 3, display_name: "=Ben" },
  ],
  statistics: STATISTICS,
  rows: [
    row({ round: null }),
    row({ round: 1 }),
    row({ round: 2, alpha_nominal: 0 }),
    row({
      pair: [2, 3],
      round: 1,
      n_items: 4,
      alpha_nominal: 0.5,
      fleiss_kappa: -0.0004,
      fleiss_kappa_general: -0.0004,
    }),
    row({ pair: [2, 3], round: null, n_items: 4 }),
    row({
      stage: "mp",
      fleiss_items: 0,
      fleiss_kappa: null,
      fleiss_kappa_general: null,
      general_items: 0,
      alpha_nominal: null,
      percent_agreement: 1,
      item_agreement: 1,
      reason: { fleiss_kappa: "no item answered by every annotator under view", alpha_nominal: NO_VARIATION },
    }),
  ],
};

const OBSERVED = "pairs of answers pooled,mean over items (observed agreement of AC1)";
const HEADER =
  "scope,phase,stage,round,annotator_a,annotator_b,n_items,n_units,fleiss_items,general_items,general_answers,n_circular," +
  "percent_agreement_is,item_agreement_is," +
  STATISTICS.map(({ key }) => `${key},${key}_low,${key}_high,${key}_undefined_because`).join(",");
const PATH = "GET /api/projects/p1/agreement/";
const NO_SPANS = {
  "GET /api/projects/p1/span-agreement/": {
    iou: 0.5,
    rows: [],
    annotators: [],
    categories: [],
    statistics: [],
  },
};

describe("agreement", () => {
  it("shows each value with what it stands on, overall last", async () => {
    serve({ ...NO_SPANS, [PATH]: PAGE });
    const { container } = renderScreen(Component);
    const table = await screen.findByRole("table");
    const rows = within(table).getAllByRole("row");
    expect(rows[1]).toHaveTextContent("Opinion opinion");
    expect(rows[2]).toHaveTextContent("round 15483.3 %0.5503 of 5 items complete0.6430.10 to 0.900.700");
    expect(rows[3]).toHaveTextContent(/^round 2.*complete0.0000.10 to 0.900.700$/);
    expect(rows[4]).toHaveTextContent(/^all rounds/);
    const same = "Percent agreement, mean over items: the same here as Percent agreement.";
    expect(screen.getByText(same)).toBeVisible();
    await expectAccessible(container);
  });

  it("draws whatever statistic the server declares: its column, its explanation and its part of the CSV", async () => {
    const mood = statistic("mood", "Ann’s M", { paper: "Ann 2030", pair_title: "Ann’s m" });
    const rows = PAGE.rows.map((each) => ({ ...each, mood: 0.123, ci: { mood: [0.1, 0.2] } }));
    serve({ ...NO_SPANS, [PATH]: { ...PAGE, rows, statistics: [mood, ...STATISTICS] } });
    const { container } = renderScreen(Component);
    const table = await screen.findByRole("table");
    expect(within(table).getByRole("columnheader", { name: "Ann’s M" })).toBeVisible();
    expect(within(table).getAllByRole("row")[2]).toHaveTextContent("round 1540.1230.10 to 0.2083.3 %");
    await userEvent.click(screen.getByText("What the numbers mean"));
    expect(screen.getByText("What Ann’s M says.")).toHaveTextContent("What Ann’s M says. Ann 2030.");
    const csv = decodeURIComponent(screen.getByRole("link", { name: /CSV/ }).getAttribute("href") ?? "");
    expect(csv).toContain(",mood,mood_low,mood_high,mood_undefined_because,percent_agreement,");
    await userEvent.click(screen.getByRole("button", { name: "Pairs" }));
    expect(await screen.findByRole("columnheader", { name: "Ann’s m" })).toBeVisible();
    await expectAccessible(container);
  });

  it("shows one round once", async () => {
    serve({ ...NO_SPANS, [PATH]: { ...PAGE, rows: PAGE.rows.filter((each) => each.round !== 2) } });
    renderScreen(Component);
    expect(await screen.findAllByRole("rowheader", { name: "round 1" })).toHaveLength(2);
    expect(screen.queryByRole("rowheader", { name: "all rounds" })).toBeNull();
  });

  it("says why a value is undefined, and shows no number for it", async () => {
    serve({ ...NO_SPANS, [PATH]: PAGE });
    renderScreen(Component);
    const table = await screen.findByRole("table");
    const mp = within(table).getAllByRole("row").at(-1);
    expect(mp).toHaveTextContent("undefined: no item answered by every annotator under view");
    expect(mp).toHaveTextContent(NO_VARIATION);
    expect(mp).toHaveTextContent("100.0 %");
  });

  it("says once why a value is undefined everywhere", async () => {
    const reason = { fleiss_kappa: "no item answered by every annotator under view" };
    const rows = [1, 2].map((round) =>
      row({ round, fleiss_kappa: null, fleiss_items: 0, general_items: 0, reason }),
    );
    serve({ ...NO_SPANS, [PATH]: { ...PAGE, rows } });
    renderScreen(Component);
    expect(
      await screen.findByText("Fleiss’ κ has no value here: no item answered by every annotator under view."),
    ).toBeVisible();
    expect(screen.queryByRole("columnheader", { name: "Fleiss’ κ" })).toBeNull();
    expect(screen.getByRole("columnheader", { name: "Krippendorff’s α" })).toBeVisible();
  });

  it("shows pairs by name, and rounds apart", async () => {
    serve({ ...NO_SPANS, [PATH]: PAGE });
    const { container } = renderScreen(Component);
    await userEvent.click(await screen.findByRole("button", { name: "Pairs" }));
    expect(await screen.findAllByRole("row")).toHaveLength(3);
    expect(screen.getByRole("rowheader", { name: "Ann – =Ben" }).closest("tr")).toHaveTextContent("0.643");
    await userEvent.selectOptions(screen.getByLabelText("Round"), "Round 1");
    // Rounds to zero: shown without a minus sign.
    expect((await screen.findByRole("rowheader", { name: "Ann – =Ben" })).closest("tr")).toHaveTextContent(
      /[^−]0\.0000\.500/,
    );
    await expectAccessible(container);
  });

  it("shows items with a majority below all items, never in their place", async () => {
    const asked = serve({
      ...NO_SPANS,
      [PATH]: ({ path }: { path: string }) => {
        const isMajority = path.includes("scope=majority");
        const rows = [row({ alpha_nominal: isMajority ? 0.9 : 0.2, n_circular: isMajority ? 1 : 0 })];
        return { ...PAGE, scope: isMajority ? "majority" : "all", rows };
      },
    });
    const { container } = renderScreen(Component);
    await screen.findByRole("table");
    await userEvent.click(screen.getByRole("button", { name: "Items with a majority" }));
    expect(await screen.findByText("0.900")).toBeVisible();
    expect(asked.map(({ path }) => path)).toContain("/api/projects/p1/agreement/?scope=majority&of=everyone");
    expect(screen.getByRole("button", { name: "Items with a majority" })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    const [first, second] = screen.getAllByRole("rowheader", { name: /round 1/ });
    expect(first).toHaveTextContent("round 1all items");
    expect(first?.closest("tr")).toHaveTextContent("0.200");
    expect(second).toHaveTextContent("round 1items with a majority");
    expect(second?.closest("tr")).toHaveTextContent("1 equal by construction");
    const csv = decodeURIComponent(screen.getByRole("link", { name: /CSV/ }).getAttribute("href") ?? "");
    expect(csv.split("\r\n").map((line) => line.split(",")[0])).toEqual([
      "data:text/csv;charset=utf-8",
      "all",
      "majority",
      "",
    ]);
    await expectAccessible(container);
  });

  it("shows no figure where agreement is circular, and says why", async () => {
    const why = "circular: each of these items has just as many answers as a majority takes";
    const none = Object.fromEntries(STATISTICS.map(({ key }) => [key, null]));
    const reason = Object.fromEntries(STATISTICS.map(({ key }) => [key, why]));
    serve({
      ...NO_SPANS,
      [PATH]: ({ path }: { path: string }) =>
        path.includes("scope=majority")
          ? {
              ...PAGE,
              scope: "majority",
              rows: [{ ...row({ n_items: 2, n_units: 2, n_circular: 2, ci: {}, reason }), ...none }],
            }
          : { ...PAGE, rows: [row({ percent_agreement: 0.5, alpha_nominal: 0.003 })] },
    });
    renderScreen(Component, {}, "/?scope=majority");
    const [all, majority] = await screen.findAllByRole("rowheader", { name: /round 1/ });
    expect(all?.closest("tr")).toHaveTextContent("0.003");
    expect(majority?.closest("tr")).toHaveTextContent(
      `round 1items with a majority222 equal by constructionNo figure: ${why}.`,
    );
    const csv = decodeURIComponent(screen.getByRole("link", { name: /CSV/ }).getAttribute("href") ?? "");
    expect(csv.split("\r\n")[2]).toContain(`,,,,${why},,,,${why}`);
  });

  it("tells the two observed agreements apart where they differ, and names Fleiss’ general form", async () => {
    const rows = [
      row({ item_agreement: 0.75, fleiss_kappa_general: 0.467, general_items: 4, general_answers: 2 }),
    ];
    serve({ ...NO_SPANS, [PATH]: { ...PAGE, rows } });
    renderScreen(Component);
    expect(
      await screen.findByRole("columnheader", { name: "Percent agreement, mean over items" }),
    ).toBeVisible();
    expect(screen.queryByText(/: the same here as/)).toBeNull();
    const line = screen.getByRole("rowheader", { name: "round 1" }).closest("tr");
    expect(line).toHaveTextContent("83.3 %75.0 %0.5503 of 5 items complete0.4674 of 5 items with 2 answers");
    expect(screen.getByRole("columnheader", { name: "Fleiss’ κ, any annotators" })).toBeVisible();
  });

  it("tells the phases apart where there was a second look", async () => {
    const asked = serve({
      ...NO_SPANS,
      [PATH]: ({ path }: { path: string }) => {
        const phase = path.includes("phase=2") ? 2 : 1;
        return {
          ...PAGE,
          phase,
          second_looks: [2],
          rows: [row({ alpha_nominal: phase === 2 ? 8 / 15 : 1 / 8 })],
        };
      },
    });
    const { container } = renderScreen(Component);
    expect(await screen.findByText("0.125")).toBeVisible();
    expect(screen.getByText(/taken in round 2; elsewhere both phases are the same/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Phase 2: after second looks" }));
    expect(await screen.findByText("0.533")).toBeVisible();
    expect(asked.map(({ path }) => path)).toContain(
      "/api/projects/p1/agreement/?scope=all&of=everyone&phase=2",
    );
    const link = screen.getByRole("link", { name: /CSV/ });
    expect(link).toHaveAttribute("download", "agreement-all-all-phase-2.csv");
    const csv = decodeURIComponent(link.getAttribute("href")?.split(",").slice(1).join(",") ?? "").split(
      "\r\n",
    );
    expect(csv[0]).toMatch(/^scope,phase,stage,round,/);
    expect(csv[1]).toMatch(/^all,2,opinion,/);
    await expectAccessible(container);
  });

  it("offers what is shown as CSV, with reasons, and no cell that a spreadsheet runs", async () => {
    serve({ ...NO_SPANS, [PATH]: PAGE });
    renderScreen(Component);
    await userEvent.click(await screen.findByRole("button", { name: "Pairs" }));
    const link = await screen.findByRole("link", { name: /Download this table/ });
    expect(link).toHaveAttribute("download", "agreement-all-pairs.csv");
    const csv = decodeURIComponent(link.getAttribute("href")?.split(",").slice(1).join(",") ?? "");
    expect(csv.split("\r\n")[0]).toBe(HEADER);
    expect(csv.split("\r\n")[1]).toBe(
      `all,1,opinion,all,Ann,'=Ben,4,4,3,3,3,0,${OBSERVED},0.8333,,,,0.8333,,,,0.55,,,,0.55,,,,${9 / 14},0.1,0.9,,,,,,0.5,,,,0.7,,,`,
    );
    await userEvent.click(screen.getByRole("button", { name: "All annotators" }));
    const all = decodeURIComponent(screen.getByRole("link", { name: /CSV/ }).getAttribute("href") ?? "");
    expect(all).toContain(
      `all,1,mp,1,all,all,5,4,0,0,3,0,${OBSERVED},1,,,,1,,,,,,,no item answered by every annotator under view,,,,,,,,"${NO_VARIATION}"`,
    );
  });

  it("asks for the pairs of a round alone", async () => {
    const asked = serve({ ...NO_SPANS, [PATH]: PAGE });
    renderScreen(Component);
    await userEvent.click(await screen.findByRole("button", { name: "Pairs" }));
    await userEvent.selectOptions(await screen.findByLabelText("Round"), "Round 1");
    await screen.findByRole("table");
    expect(asked.map(({ path }) => path.split("?")[1]).filter((query) => query?.includes("of="))).toEqual([
      "scope=all&of=everyone",
      "scope=all&of=pairs&round=0",
      "scope=all&of=pairs&round=1",
    ]);
  });

  it("shows many pairs one stage at a time, those that agree least first, and not all at once", async () => {
    const numbers = [2, 3, 4, 5, 6, 7, 8];
    const annotators = numbers.map((number) => ({ number, display_name: `P${number}` }));
    const pairs = numbers.flatMap((a) => numbers.filter((b) => b > a).map((b) => [a, b] as [number, number]));
    // Worse the larger the numbers: P7 and P8 least, but for one pair without a value.
    const rows = pairs.map((pair) =>
      row({ pair, round: null, alpha_nominal: pair[1] === 3 ? null : 1 - (pair[0] + pair[1]) / 20 }),
    );
    const asked = serve({ ...NO_SPANS, [PATH]: { ...PAGE, annotators, rows: [row({}), ...rows] } });
    const { container } = renderScreen(Component);
    await userEvent.click(await screen.findByRole("button", { name: "Pairs" }));
    const names = () => screen.getAllByRole("rowheader", { name: /–/ }).map((each) => each.textContent);
    expect(await screen.findByRole("button", { name: "Show all 21 pairs" })).toBeVisible();
    expect(names()).toHaveLength(20);
    expect(names()[0]).toBe("P7 – P8");
    expect(asked.at(-1)?.path).toBe("/api/projects/p1/agreement/?scope=all&of=pairs&round=0&stage=opinion");
    await userEvent.click(screen.getByRole("button", { name: "Show all 21 pairs" }));
    expect(names().at(-1)).toBe("P2 – P3");
    await userEvent.selectOptions(screen.getByLabelText("Pairs with"), "P3");
    expect(names()).toEqual(["P3 – P8", "P3 – P7", "P3 – P6", "P3 – P5", "P3 – P4", "P2 – P3"]);
    await expectAccessible(container);
  });

  it("says that there is no majority yet where there are answers", async () => {
    serve({ ...NO_SPANS, [PATH]: { ...PAGE, scope: "majority", rows: [row({ n_items: 0 })] } });
    renderScreen(Component, {}, "/?scope=majority");
    expect(await screen.findByRole("heading", { name: "No majority yet" })).toBeVisible();
  });

  it("teaches when nobody has answered", async () => {
    const rows = [row({ round: null, n_items: 0, n_units: 0, reason: { alpha_nominal: "no answers" } })];
    serve({ ...NO_SPANS, [PATH]: { ...PAGE, rows, annotators: [] } });
    const { container } = renderScreen(Component);
    expect(await screen.findByRole("heading", { name: "No answers yet" })).toBeVisible();
    await expectAccessible(container);
  });

  it("says that it could not be counted, and tries again", async () => {
    let broken = true;
    serve({ ...NO_SPANS, [PATH]: () => (broken ? new Answer(500, null) : PAGE) });
    renderScreen(Component);
    await screen.findByText(/The agreement could not be loaded/);
    broken = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("table")).toBeVisible();
  });
});
