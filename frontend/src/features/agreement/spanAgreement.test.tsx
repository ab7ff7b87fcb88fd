import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { AgreementPage } from "../../api/agreement";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import { spanFigure as figure, SPAN_STATISTICS, type SpanFigures } from "../../test/agreement";
import { Component } from "./index";
import type { SpanAgreementPage, SpanAgreementRow, SpanFigure } from "./spanApi";

const STAGED = "GET /api/projects/p1/agreement/";
const SPANS = "GET /api/projects/p1/span-agreement/";

function undefinedFor(reason: string): SpanFigure {
  return { value: null, n: 0, pairs: null, reason };
}

const BY_CATEGORY = undefinedFor("given by category: a token may belong to several");

const FIGURES = {
  exact_f1: figure(0.8, 5),
  overlap_any_f1: figure(2 / 3, 5),
  overlap_any_precision: figure(0.5, 2),
  overlap_any_recall: figure(1, 3),
  overlap_iou_f1: figure(0, 5),
  overlap_iou_precision: figure(0, 2),
  overlap_iou_recall: undefinedFor("the second marked none"),
  token_kappa: figure(8 / 13, 1200),
  token_agreement: figure(0.8, 1200),
  token_share: figure(0.05, 1200),
  alpha_u: figure(-14 / 75, 5),
  alpha_u_pair_mean: undefinedFor("given for the pairs together"),
  comment_equal: figure(1 / 3, 3),
  comment_rouge_l: undefinedFor("no words in the comments"),
} as SpanFigures;

function row(part: Partial<SpanAgreementRow>, figures: Partial<SpanFigures> = {}): SpanAgreementRow {
  return {
    category: "act",
    round: null,
    pair: [2, 3],
    n_items: 4,
    n_pairs: 1,
    n_a: 2,
    n_b: 3,
    n_matched: 4,
    n_uncommented: 1,
    alpha_items: 4,
    alpha_length: 120,
    alpha_merged: 2,
    ...part,
    figures: { ...FIGURES, ...figures },
  };
}

const TOGETHER = {
  exact_f1: figure(0.75, 15, 3),
  overlap_any_precision: undefinedFor("given for pairs"),
  overlap_any_recall: undefinedFor("given for pairs"),
  overlap_iou_precision: undefinedFor("given for pairs"),
  overlap_iou_recall: undefinedFor("given for pairs"),
  alpha_u: undefinedFor("no item was submitted by every annotator; see the mean of the pairs"),
  alpha_u_pair_mean: figure(0.5, 9, 2),
};

const PAGE: SpanAgreementPage = {
  iou: 0.5,
  statistics: SPAN_STATISTICS,
  categories: [{ key: "act", name: "Act", color: "orange" }],
  annotators: [
    { number: 2, display_name: "Ann" },
    { number: 3, display_name: "=Ben" },
    { number: 4, display_name: "Cem" },
  ],
  rows: [
    row({ pair: null, n_items: 6, n_pairs: 3, alpha_items: 0, alpha_merged: 0 }, TOGETHER),
    row({}),
    row({ pair: [2, 4] }, { exact_f1: undefinedFor("neither marked it") }),
    row({ pair: null, round: 1 }, TOGETHER),
    row({ round: 1 }, { exact_f1: figure(0.25, 8) }),
    row({ pair: null, round: 2 }, TOGETHER),
    row({ category: null, pair: null }, { token_kappa: BY_CATEGORY, token_agreement: BY_CATEGORY }),
    row({ category: null }, { token_kappa: BY_CATEGORY, token_agreement: BY_CATEGORY }),
  ],
};

const NO_STAGES: AgreementPage = {
  scope: "all",
  phase: 1,
  second_looks: [],
  rows: [],
  annotators: [],
  stages: [],
  statistics: [],
};
const NOTHING: SpanAgreementPage = { iou: 0.5, rows: [], annotators: [], categories: [], statistics: [] };

function spansRow(name: string): HTMLElement | null {
  const table = screen.getByRole("group", { name: "Agreement on spans" });
  return within(table).getByRole("rowheader", { name }).closest("tr");
}

describe("agreement on spans", () => {
  it("shows the pairs together, with what each value stands on", async () => {
    serve({ [STAGED]: NO_STAGES, [SPANS]: PAGE });
    const { container } = renderScreen(Component);
    const [table] = await screen.findAllByRole("table");
    const act = within(table as HTMLElement)
      .getByRole("rowheader", { name: "Act act" })
      .closest("tr");
    expect(act).toHaveTextContent("0.750mean of 3 pairs, 15 spans");
    expect(act).toHaveTextContent("0.6151,200 tokensequal 80.0 % · marked 5.0 %");
    expect(act).toHaveTextContent(
      "undefined: no item was submitted by every annotator; see the mean of the pairs" +
        "mean of the pairs 0.500 (2 pairs)",
    );
    expect(act).not.toHaveTextContent("P ");
    await expectAccessible(container);
  });

  it("shows a pair with both sides of an overlap, and reasons in place of numbers", async () => {
    serve({ [STAGED]: NO_STAGES, [SPANS]: PAGE });
    renderScreen(Component);
    await userEvent.selectOptions(await screen.findByLabelText("Whose spans"), "Ann – =Ben");
    const act = spansRow("Act act");
    expect(act).toHaveTextContent("0.6675 spansP 0.500 · R 1.000");
    expect(act).toHaveTextContent("P 0.000 · R undefined: the second marked none");
    expect(act).toHaveTextContent("−0.1875 units4 items; 2 overlapping spans merged");
    const comments = screen.getByRole("group", { name: "Agreement on comments" });
    const commented = within(comments).getByRole("rowheader", { name: "Act act" }).closest("tr");
    expect(commented).toHaveTextContent("Act act4133.3 %3 matched spansundefined: no words in the comments");
    const all = spansRow("All categories");
    expect(all).toHaveTextContent("undefined: given by category: a token may belong to several");
    await userEvent.selectOptions(screen.getByLabelText("Whose spans"), "Ann – Cem");
    expect(spansRow("Act act")).toHaveTextContent("undefined: neither marked it");
  });

  it("shows rounds apart, and says where a pair has none", async () => {
    serve({ [STAGED]: NO_STAGES, [SPANS]: PAGE });
    renderScreen(Component);
    await userEvent.selectOptions(await screen.findByLabelText("Whose spans"), "Ann – =Ben");
    await userEvent.selectOptions(screen.getByLabelText("Round"), "Round 1");
    expect(spansRow("Act act")).toHaveTextContent("0.2508 spans");
    await userEvent.selectOptions(screen.getByLabelText("Round"), "Round 2");
    expect(screen.queryByRole("table")).toBeNull();
    expect(screen.getByText("These two have not submitted the same item in this round.")).toBeVisible();
  });

  it("shows 1 only where nothing is short of it", async () => {
    const near = {
      exact_f1: figure(1, 5),
      alpha_u: figure(0.9996, 5),
      token_agreement: figure(0.9999, 1200),
    };
    serve({ [STAGED]: NO_STAGES, [SPANS]: { ...PAGE, rows: [row({}, near), row({ pair: null }, near)] } });
    renderScreen(Component);
    await screen.findByRole("heading", { name: "On spans, by category" });
    expect(spansRow("Act act")).toHaveTextContent("1.0005 spans");
    expect(spansRow("Act act")).toHaveTextContent("> 0.9995 units");
    expect(spansRow("Act act")).toHaveTextContent("equal > 99.9 %");
  });

  it("offers what is shown as CSV, with every n and reason, and no cell that a spreadsheet runs", async () => {
    serve({ [STAGED]: NO_STAGES, [SPANS]: PAGE });
    renderScreen(Component);
    await userEvent.selectOptions(await screen.findByLabelText("Whose spans"), "Ann – =Ben");
    const link = screen.getByRole("link", { name: /Download the spans’ figures/ });
    expect(link).toHaveAttribute("download", "agreement-spans-2-3-all.csv");
    const csv = decodeURIComponent(link.getAttribute("href")?.split(",").slice(1).join(",") ?? "");
    const [header, act] = csv.split("\r\n");
    expect(header).toMatch(
      /^category,round,annotator_a,annotator_b,n_items,.*,exact_f1,exact_f1_n,exact_f1_pairs,/,
    );
    expect(act).toMatch(/^act,all,Ann,'=Ben,4,1,2,3,4,1,4,120,2,0\.8,5,,,/);
    expect(act).toContain(",,0,,the second marked none,");
    expect(act?.split(",")).toHaveLength(header?.split(",").length ?? 0);
    const columns = header?.split(",") ?? [];
    expect(columns.filter((name, place) => columns.indexOf(name) !== place)).toEqual([]);
    expect(columns).toEqual(expect.arrayContaining(["alpha_u_pairs", "alpha_u_pair_mean"]));
  });

  it("hides the staged part where people only mark spans, and shows both where they do both", async () => {
    const staged: AgreementPage = {
      ...NO_STAGES,
      stages: [{ key: "opinion", title: "Opinion", coefficient: "alpha_nominal" }],
    };
    serve({ [STAGED]: NO_STAGES, [SPANS]: PAGE });
    const { unmount } = renderScreen(Component);
    await screen.findByRole("heading", { name: "On spans, by category" });
    expect(screen.queryByRole("button", { name: "Items with a majority" })).toBeNull();
    expect(screen.queryByRole("heading", { name: "No answers yet" })).toBeNull();
    unmount();
    serve({ [STAGED]: staged, [SPANS]: PAGE });
    renderScreen(Component);
    await screen.findByRole("heading", { name: "On spans, by category" });
    expect(await screen.findByRole("heading", { name: "No answers yet" })).toBeVisible();
  });

  it("shows nothing of spans where no codebook has a span layer", async () => {
    serve({ [STAGED]: NO_STAGES, [SPANS]: NOTHING });
    renderScreen(Component);
    expect(await screen.findByRole("heading", { name: "No answers yet" })).toBeVisible();
    expect(screen.queryByText(/spans/i)).toBeNull();
  });

  it("teaches while no two people have submitted the same item", async () => {
    serve({ [STAGED]: NO_STAGES, [SPANS]: { ...PAGE, rows: PAGE.rows.slice(0, 1) } });
    const { container } = renderScreen(Component);
    expect(await screen.findByRole("heading", { name: "No spans to compare yet" })).toBeVisible();
    await expectAccessible(container);
  });

  it("says that it could not be counted, and tries again", async () => {
    let broken = true;
    serve({ [STAGED]: NO_STAGES, [SPANS]: () => (broken ? new Answer(500, null) : PAGE) });
    renderScreen(Component);
    await screen.findByText(/The agreement on spans could not be loaded/);
    broken = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findAllByRole("table")).toHaveLength(2);
  });
});
