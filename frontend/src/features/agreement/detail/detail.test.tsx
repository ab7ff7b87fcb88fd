import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, describe, expect, it } from "vitest";
import { Answer, expectAccessible, renderScreen, serve } from "../../../test/admin";
import { ANNOTATORS, DETAILS, EVERYONE, PAIR, row } from "../../../test/agreementDetails";
import { Component } from "../index";

// The drawing engine loads once; under load that takes longer than a test may.
beforeAll(() => import("../../../components/charts/engine"), 30_000);

const TABLE = "GET /api/projects/p1/agreement/";
const STAGE = "GET /api/projects/p1/agreement/details/";
const ROUTES = {
  "GET /api/projects/p1/span-agreement/": { iou: 0.5, rows: [], annotators: [], categories: [] },
  [TABLE]: ({ path }: { path: string }) => ({
    ...(path.includes("of=pairs") ? PAIR : EVERYONE),
    scope: path.includes("scope=majority") ? "majority" : "all",
  }),
  [STAGE]: DETAILS,
};

const card = (name: string) => screen.findByRole("region", { name });
const cells = (table: HTMLElement) =>
  within(table)
    .getAllByRole("row")
    .map((each) => [...each.children].map((cell) => cell.textContent?.trim()));
const csvOf = (link: HTMLElement) =>
  decodeURIComponent(link.getAttribute("href")?.split(",").slice(1).join(",") ?? "").split("\r\n");

describe("agreement in detail", () => {
  it("shows what each pair takes for what, in a table and in a sentence", async () => {
    serve(ROUTES);
    const { container } = renderScreen(Component, {}, "/?view=detail");
    const shown = await card("Confusion of labels");
    expect(shown).toHaveTextContent(
      "Of all 70 pairs of answers to the same item, most confused: “Yes” with “No” (4), “Yes” with “Can’t tell” (4), “No” with “Can’t tell” (3).",
    );
    expect(shown).toHaveTextContent(
      "Most confused: “Yes” with “No”, on 4 of 30 items (13.3 %): Ann said “Yes” and Ben “No” on 3, the other way round on 1.",
    );
    expect(shown).toHaveTextContent("Ben and Cleo gave all 20 items the same label.");
    const table = within(within(shown).getByRole("group", { name: "Ann – Ben, 30 items" })).getByRole(
      "table",
    );
    expect(cells(table)).toEqual([
      ["Ann ↓ Ben →", "Yes", "No", "Can’t tell", "All"],
      ["Yes", "15 50.0 %", "3 10.0 %", "0 0.0 %", "18"],
      ["No", "1 3.3 %", "8 26.7 %", "0 0.0 %", "9"],
      ["Can’t tell", "0 0.0 %", "2 6.7 %", "1 3.3 %", "3"],
      ["All", "16", "13", "1", "30"],
    ]);
    const csv = csvOf(within(shown).getByRole("link", { name: /CSV/ }));
    expect(csv.slice(0, 3)).toEqual([
      "scope,phase,stage,round,annotator_a,annotator_b,label_a,label_b,n",
      "all,1,opinion,all,Ann,Ben,yes,yes,15",
      "all,1,opinion,all,Ann,Ben,yes,no,3",
    ]);
    expect(csv).toHaveLength(1 + 3 * 9 + 1);
    await expectAccessible(container);
  });

  it("shows one of many pairs, the one that differs most, and keeps another choice in the address", async () => {
    const people = [...ANNOTATORS, { number: 5, display_name: "Dan" }];
    const calm = {
      n: 4,
      counts: [
        [4, 0, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
    };
    const confusion = [...DETAILS.confusion, { pair: [2, 5], ...calm }];
    serve({ ...ROUTES, [STAGE]: { ...DETAILS, annotators: people, confusion } });
    const { router } = renderScreen(Component, {}, "/?view=detail");
    const choice = await screen.findByLabelText(/^Pair/);
    expect(
      within(choice)
        .getAllByRole("option")
        .map((each) => each.textContent),
    ).toEqual([
      "Ann – Ben: 6 of 30 items differ",
      "Ann – Cleo: 5 of 20 items differ",
      "Ben – Cleo: 0 of 20 items differ",
      "Ann – Dan: 0 of 4 items differ",
    ]);
    const confusions = await card("Confusion of labels");
    const headings = () =>
      within(confusions)
        .getAllByRole("heading", { level: 3 })
        .map((each) => each.textContent);
    expect(headings()).toEqual(["Ann – Ben, 30 items"]);
    await userEvent.selectOptions(choice, "Ann – Dan: 0 of 4 items differ");
    expect(headings()).toEqual(["Ann – Dan, 4 items"]);
    expect(router.state.location.search).toBe("?view=detail&pair=2%2C5");
  });

  it("names who says a label much more often than the others, and by which rule", async () => {
    serve(ROUTES);
    renderScreen(Component, {}, "/?view=detail");
    const shown = await card("How often each annotator gives each label");
    expect(within(shown).getAllByRole("listitem")[0]).toHaveTextContent(
      "Cleo says “Can’t tell” much more often than the others: on 30.0 % of 20 items that others answered too, where they say it on 10.0 % (+20.0 points, standard error 6.0).",
    );
    expect(shown).toHaveTextContent(
      "on at least 20 items, the difference at least 3 standard errors, and the share at least 1.5 times the others’ or 10 points above it.",
    );
    expect(
      within(shown).getByRole("img", {
        name: "Ann: Yes 60.0 %, No 30.0 %, Can’t tell 10.0 %; Cleo: Yes 50.0 %, No 20.0 %, Can’t tell 30.0 %",
      }),
    ).toBeVisible();
    await userEvent.click(within(shown).getByText("The numbers"));
    expect(cells(within(shown).getByRole("table"))).toEqual([
      ["Annotator", "Items", "Compared", "Yes", "No", "Can’t tell"],
      ["Ann", "30", "30", "60.0 % (18)+10.0 ± 5.0", "30.0 % (9)−10.0 ± 5.0", "10.0 % (3)0.0 ± 2.0"],
      [
        "Cleo",
        "20",
        "20",
        "50.0 % (10)−10.0 ± 8.0",
        "20.0 % (4)−10.0 ± 8.0",
        "30.0 % (6)+20.0 ± 6.0much more often",
      ],
    ]);
    expect(csvOf(within(shown).getByRole("link", { name: /CSV/ })).at(-2)).toBe(
      "all,1,opinion,all,Cleo,20,ambiguous,6,0.3,20,0.3,0.1,0.06,yes",
    );
  });

  it("says that it is too early to compare", async () => {
    const label_shares = DETAILS.label_shares.map((each) => ({ ...each, n_compared: 0, habits: [] }));
    serve({ ...ROUTES, [STAGE]: { ...DETAILS, label_shares } });
    renderScreen(Component, {}, "/?view=detail");
    expect(
      await screen.findByText("Too early to compare: nobody has 20 items yet that others answered too."),
    ).toBeVisible();
  });

  it("shows agreement by batch with its trend, of everyone and of a pair", async () => {
    const asked = serve(ROUTES);
    const { router } = renderScreen(Component, {}, "/?view=detail");
    const shown = await card("Agreement by batch");
    const trend =
      "No rise or fall stands out: Krippendorff’s α changes by +0.250 a round (95 % interval −0.850 to +1.350).";
    expect(within(shown).getByText(trend)).toBeVisible();
    expect(within(shown).getByRole("img")).toHaveAccessibleName(
      `Krippendorff’s α: Round 1: 0.40 [0.30, 0.70]; Round 2: 0.50 [0.30, 0.70]; Round 3: 0.90 [0.30, 0.70]. ${trend}`,
    );
    await userEvent.click(within(shown).getByText("The numbers"));
    expect(cells(within(shown).getByRole("table")).at(-1)).toEqual([
      "All rounds",
      "30",
      "28",
      "0.550.30 to 0.70",
    ]);
    await userEvent.selectOptions(within(shown).getByLabelText("Coefficient"), "Gwet’s AC1");
    expect(within(shown).getByText(/AC1 changes by 0\.000 a round/)).toBeVisible();
    await userEvent.selectOptions(within(shown).getByLabelText(/^Whose/), "Ann – Ben");
    expect(await screen.findByText("A trend takes three batches with a value.")).toBeVisible();
    expect(asked.at(-1)?.path).toBe(
      "/api/projects/p1/agreement/?scope=all&of=pairs&stage=opinion&pair=2%2C3",
    );
    expect(router.state.location.search).toBe("?view=detail&by=2%2C3&figure=ac1");
    const csv = csvOf(within(await card("Agreement by batch")).getByRole("link", { name: /CSV/ }));
    expect(csv[1]).toBe("all,1,opinion,Ann – Ben,1,30,28,25,0,0.7,,,");
  });

  it("holds each annotator against the others first, then against the majority with their own vote", async () => {
    serve(ROUTES);
    renderScreen(Component, {}, "/?view=detail");
    const shown = await card("Each annotator against the others");
    const tables = within(shown).getAllByRole("table");
    expect(shown).toHaveTextContent("Where two people answered, that is the other person’s answer");
    expect(tables.map(cells)).toEqual([
      [
        ["Annotator", "Accuracy", "Right", "Among annotators"],
        ["Ann", "70.0 %48.0 % to 86.0 %", "14 of 20", "lowest highest"],
        ["Ben", "No figure: nobody else answered these items.", "0 of 0", ""],
      ],
      [
        ["Annotator", "Accuracy", "Right", "Among annotators"],
        ["Ann", "80.0 %60.9 % to 91.1 %", "20 of 25", "lowest"],
        ["Ben", "100.0 %86.7 % to 100.0 %", "25 of 25", "highest"],
      ],
    ]);
    expect(shown).toHaveTextContent("Lowest annotator: 80.0 % (Ann). Highest: 100.0 % (Ben).");
    expect(shown).toHaveTextContent(
      "higher than those above by construction. 3 items of them have just as many",
    );
    const csv = csvOf(within(shown).getByRole("link", { name: /CSV/ }));
    expect(csv.slice(1, 4)).toEqual([
      "all,1,opinion,all,Ann,the others,20,0,14,0.7,0.48,0.86,,,,,",
      "all,1,opinion,all,Ben,the others,0,0,0,,,,,,,,nobody else answered these items",
      'all,1,opinion,all,Ann,"everyone, own vote included",25,0,20,0.8,0.609,0.911,,,,,',
    ]);
  });

  it("says above both tables which items are equal by construction", async () => {
    const against_majority = { ...DETAILS.against_majority, n_items: 30, n_circular: 4 };
    serve({ ...ROUTES, [STAGE]: { ...DETAILS, against_majority } });
    renderScreen(Component, {}, "/?view=detail&scope=majority");
    expect(await screen.findByText(/^4 items of 30 with a majority .* equal by construction/)).toBeVisible();
  });

  it("gives no share where everyone is right by construction", async () => {
    const why = "circular: each of these items has just as many answers as a majority takes";
    const rows = DETAILS.against_majority.rows.map((each) => ({
      ...each,
      ...{ accuracy: null, interval: null, n_circular: 25, reason: why },
    }));
    const against_majority = { ...DETAILS.against_majority, rows, minimum: null, maximum: null };
    serve({ ...ROUTES, [STAGE]: { ...DETAILS, against_majority } });
    renderScreen(Component, {}, "/?view=detail");
    const shown = await card("Each annotator against the others");
    expect(within(shown).getAllByText(`No figure: ${why}.`)).toHaveLength(2);
    expect(shown).not.toHaveTextContent("100.0 %");
  });

  it("shows all items first where those with a majority are asked for", async () => {
    serve(ROUTES);
    renderScreen(Component, {}, "/?view=detail&scope=majority");
    const shown = await card("All items, and items with a majority");
    const heads = within(shown).getAllByRole("rowheader", { name: /^all rounds/ });
    expect(heads.map((each) => each.textContent)).toEqual([
      "all roundsall items",
      "all roundsitems with a majority",
    ]);
  });

  it("shows ordered stages in two classes too", async () => {
    const rows = DETAILS.against_majority.rows.map((each) => ({
      ...each,
      ...{ n_collapsed: 24, collapsed: 0.96, collapsed_interval: [0.8, 0.99] },
    }));
    const against_majority = {
      ...DETAILS.against_majority,
      ...{ rows, collapsed_minimum: 0.96, collapsed_maximum: 0.96 },
    };
    serve({ ...ROUTES, [STAGE]: { ...DETAILS, scale: "ordinal", against_majority } });
    renderScreen(Component, {}, "/?view=detail");
    const shown = await card("Each annotator against the others");
    expect(shown).toHaveTextContent("Lowest annotator in two classes (“Yes” or not): 96.0 % (Ann, Ben).");
    expect(within(shown).getAllByRole("columnheader", { name: "In two classes" })).toHaveLength(2);
  });

  it("keeps stage, round and scope in the address, and asks for them", async () => {
    const asked = serve(ROUTES);
    const { router } = renderScreen(Component, {}, "/?view=detail&stage=mp_context&round=2&scope=majority");
    await card("Confusion of labels");
    expect(screen.getByLabelText("Stage")).toHaveValue("mp_context");
    expect(asked.map(({ path }) => path)).toContain(
      "/api/projects/p1/agreement/details/?stage=mp_context&scope=majority&round=2",
    );
    await userEvent.selectOptions(screen.getByLabelText("Round"), "Round 3");
    await userEvent.selectOptions(screen.getByLabelText("Stage"), "Opinion");
    await userEvent.click(screen.getByRole("button", { name: "All items" }));
    expect(router.state.location.search).toBe("?view=detail&stage=opinion&round=3");
    await waitFor(() =>
      expect(asked.at(-1)?.path).toBe("/api/projects/p1/agreement/details/?stage=opinion&scope=all&round=3"),
    );
    await userEvent.click(screen.getByRole("button", { name: "All stages" }));
    expect(await screen.findByRole("heading", { name: "By stage and round" })).toBeVisible();
  });

  it("says what is missing where there is little", async () => {
    const none = {
      ...{ confusion: [], label_shares: [], annotators: [], round: 4 },
      leave_one_out: { ...DETAILS.leave_one_out, rows: [], minimum: null, maximum: null },
      against_majority: {
        ...{ n_items: 0, n_circular: 0, ambiguous: [], rows: [] },
        ...{ minimum: null, maximum: null, collapsed_minimum: null, collapsed_maximum: null },
      },
    };
    const rows = [
      row({ alpha_nominal: null, n_units: 0, reason: { alpha_nominal: "no unit with two answers" } }),
    ];
    serve({ ...ROUTES, [TABLE]: { ...EVERYONE, rows }, [STAGE]: { ...DETAILS, ...none } });
    const { container } = renderScreen(Component, {}, "/?view=detail&round=4");
    expect(await screen.findByText("No two people have answered the same item here yet.")).toBeVisible();
    expect(screen.getAllByText("Nobody has answered here yet.")).toHaveLength(2);
    expect(screen.getByText("No round has a value yet. Undefined: no unit with two answers.")).toBeVisible();
    expect(screen.getByLabelText("Round")).toHaveDisplayValue("Round 4");
    await expectAccessible(container);
  });

  it("says that the codebook has no such stage, and that a stage could not be counted", async () => {
    serve({ ...ROUTES, [STAGE]: new Answer(500, null) });
    renderScreen(Component, {}, "/?view=detail&stage=mood");
    expect(await screen.findByText(/The codebook has no stage/)).toBeVisible();
    await userEvent.selectOptions(screen.getByLabelText("Stage"), "Opinion");
    expect(await screen.findByText(/The stage’s agreement could not be loaded/)).toBeVisible();
    expect(screen.getByRole("region", { name: "Agreement by batch" })).toBeVisible();
  });
});
