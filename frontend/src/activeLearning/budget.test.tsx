import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { Answer, expectAccessible, PROJECT, renderScreen, serve } from "../test/admin";
import { BudgetStat } from "./BudgetStat";

const PATCH = "PATCH /api/projects/p1/";

function open(total: number | null, answer: unknown) {
  const asked = serve({ [PATCH]: answer });
  return { asked, ...renderScreen(() => <BudgetStat project={PROJECT} spent={300} total={total} />) };
}

it("shows what is spent and left, and saves another budget", async () => {
  const { asked, container } = open(1050, { ...PROJECT, annotation_budget: 2000 });
  expect(screen.getByText(/items issued, 750 left/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Change the budget" }));
  await expectAccessible(container);
  const field = screen.getByLabelText("Items in all");
  await userEvent.clear(field);
  await userEvent.type(field, "2000{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked.map(({ method, body }) => [method, body])).toEqual([["PATCH", { annotation_budget: 2000 }]]);
});

it("lifts the limit with an empty field", async () => {
  const { asked } = open(1050, { ...PROJECT, annotation_budget: null });
  await userEvent.click(screen.getByRole("button", { name: "Change the budget" }));
  await userEvent.clear(screen.getByLabelText("Items in all"));
  await userEvent.click(screen.getByRole("button", { name: "Save the budget" }));
  await waitFor(() => expect(asked[0]?.body).toEqual({ annotation_budget: null }));
});

it.each(["0", "-5", "many", "1.5"])("refuses %s without asking the server", async (typed) => {
  const { asked } = open(null, null);
  await userEvent.click(screen.getByRole("button", { name: "Set a budget" }));
  await userEvent.type(screen.getByLabelText("Items in all"), `${typed}{Enter}`);
  expect(screen.getByLabelText("Items in all")).toHaveAccessibleDescription(/whole number of 1 or more/);
  expect(asked).toEqual([]);
});

it("shows the server's refusal at the field", async () => {
  const errors = { annotation_budget: ["300 items are spent already."] };
  open(1050, new Answer(400, { detail: "Some fields need to be corrected.", errors }));
  await userEvent.click(screen.getByRole("button", { name: "Change the budget" }));
  await userEvent.clear(screen.getByLabelText("Items in all"));
  await userEvent.type(screen.getByLabelText("Items in all"), "10{Enter}");
  await waitFor(() =>
    expect(screen.getByLabelText("Items in all")).toHaveAccessibleDescription(/300 items are spent already/),
  );
});
