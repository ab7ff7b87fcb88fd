import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, expect, it } from "vitest";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import { CANDIDATE, REPORT } from "../../test/report";
import { reportPath } from "./api";
import { Component } from "./index";

const PATH = "/api/projects/p1/report/";

// The engine loads once; under load that takes longer than a drawing may.
beforeAll(() => import("../../components/charts/engine"), 30_000);

function cells(table: HTMLElement): (string | null)[][] {
  return within(table)
    .getAllByRole("row")
    .map((row) => [...row.children].map((cell) => cell.textContent));
}

it("shows tables, what is missing, and what is still open", async () => {
  serve({ [`GET ${PATH}`]: REPORT });
  const { container } = renderScreen(Component);
  const labels = await screen.findByRole("article", { name: "Labels by stage" });
  expect(cells(within(labels).getByRole("table"))).toEqual([
    ["Stage", "Label", "n"],
    ["Opinion", "Yes", "546 [500, 600] n = 13"],
    ["Opinion", "No", "496"],
  ]);
  expect(screen.getByText("No round has opened a batch yet.")).toBeVisible();
  expect(screen.getByText("Round 2 is open: 3 of 450 assignments are done.")).toBeVisible();
  expect(screen.getByRole("link", { name: /one file/ })).toHaveAttribute("href", `${PATH}?file=1`);
  await expectAccessible(container);
});

it("names the paper’s tables only where that is asked for", async () => {
  serve({ [`GET ${PATH}`]: REPORT });
  renderScreen(Component);
  await screen.findByRole("article", { name: "Labels by stage" });
  expect(document.body).not.toHaveTextContent("in OP-FED");
  await userEvent.click(screen.getByRole("checkbox", { name: /^Name the table or figure/ }));
  expect(screen.getAllByText("in OP-FED: Table 3").length).toBeGreaterThan(0);
  expect(screen.getByRole("link", { name: /one file/ })).toHaveAttribute("href", `${PATH}?paper=1&file=1`);
});

it("gives each table as CSV and LaTeX, and each drawing for paper, with its words and its numbers", async () => {
  serve({ [`GET ${PATH}`]: REPORT });
  renderScreen(Component);
  const labels = await screen.findByRole("article", { name: "Labels by stage" });
  const csv = within(labels).getByRole("link", { name: "CSV of “Labels by stage”" });
  expect(csv).toHaveAttribute("download", "table_3.csv");
  expect(decodeURIComponent(csv.getAttribute("href") ?? "")).toBe(
    "data:text/csv;charset=utf-8,stage,label,n\r\nOpinion,yes,546\r\n",
  );
  const figure = screen.getByRole("article", { name: "Labels of each annotator" });
  for (const format of ["svg", "png", "pdf"]) {
    const link = within(figure).getByRole("link", { name: new RegExp(`^${format}`, "i") });
    expect(link).toHaveAttribute("href", `${PATH}figures/figure_4_mp_context.${format}/`);
    expect(link).toHaveAttribute("download", `figure_4_mp_context.${format}`);
  }
  expect(within(figure).getByRole("img", { name: /Annotator 2: Sentence only 25.0%/ })).toBeVisible();
  expect(within(figure).getByText("The numbers", { exact: false })).toBeVisible();
});

it("asks for the examples that are chosen, and shows the context that they needed", async () => {
  const asked = serve({ [`GET ${PATH}`]: REPORT });
  renderScreen(Component);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Context: Whole turn" }));
  expect(screen.getByText(CANDIDATE.needed_text)).toBeVisible();
  await user.click(screen.getByRole("checkbox", { name: CANDIDATE.text }));
  await expect
    .poll(() => asked.at(-1)?.path)
    .toBe(reportPath("p1", { examples: [CANDIDATE.id], annotators: [], paper: false }));
  expect(screen.getByText(/1 item chosen/)).toBeVisible();
});

it("lets the admin choose whose pairs are shown, where there are many people", async () => {
  const annotators = [2, 3, 4, 5, 6, 7, 8];
  const asked = serve({ [`GET ${PATH}`]: { ...REPORT, annotators, compared: annotators.slice(0, 6) } });
  const { container } = renderScreen(Component);
  const user = userEvent.setup();
  const people = await screen.findByRole("group", { name: /whose pairs/ });
  expect(within(people).getByRole("checkbox", { name: "8" })).toBeDisabled();
  await user.click(within(people).getByRole("checkbox", { name: "3" }));
  await expect
    .poll(() => asked.at(-1)?.path)
    .toBe(reportPath("p1", { examples: [], annotators: [2, 4, 5, 6, 7], paper: false }));
  await user.click(within(people).getByRole("checkbox", { name: "8" }));
  await expect
    .poll(() => asked.at(-1)?.path)
    .toBe(reportPath("p1", { examples: [], annotators: [2, 4, 5, 6, 7, 8], paper: false }));
  await expectAccessible(container);
});

it("keeps what is chosen when an id is not there", async () => {
  const said = "No round has given out 'i9': name items by their id.";
  serve({
    [`GET ${PATH}`]: ({ path }: { path: string }) =>
      path.includes("i9") ? new Answer(400, { errors: { example: [said] } }) : REPORT,
  });
  renderScreen(Component);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText(/by its id/), "i9");
  await user.click(screen.getByRole("button", { name: "Add" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(said);
  expect(screen.getByText(/None chosen yet/)).toBeVisible();
  expect(screen.getByRole("heading", { name: "Labels by stage" })).toBeVisible();
});
