import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import type { BatchChecks } from "../api/batches";
import type { Practice } from "../api/practice";
import { expectAccessible, renderScreen, serve } from "../test/admin";
import { CheckResults } from "./CheckResults";
import { ChecksFields } from "./ChecksFields";
import { type Checks, checkCount, checksBody, checksFaults } from "./checks";

const SOURCE: Practice = {
  id: "q1",
  number: 1,
  title: "Known sentences",
  pass_mark: 80,
  attempts: 3,
  is_required: false,
  opened_at: null,
  closed_at: null,
  n_items: 40,
  n_keys: 40,
  n_checks: 40,
  people: [],
};
const OPENED: Practice = { ...SOURCE, id: "q2", number: 2, title: "Warm-up", n_checks: 0 };
const PRACTICES = "GET /api/projects/p1/practices/";

let asked: Checks;

function Form() {
  const [checks, setChecks] = useState<Checks>(null);
  asked = checks;
  return (
    <ChecksFields
      projectId="p1"
      nItems={100}
      checks={checks}
      errors={checksFaults(checks)}
      onChecks={setChecks}
    />
  );
}

it("asks for a practice and a percentage only where check items are mixed in", async () => {
  const requests = serve({ [PRACTICES]: { practices: [OPENED, SOURCE] } });
  const { container } = renderScreen(Form);
  expect(requests).toHaveLength(0);
  expect(checksBody(asked)).toEqual({});
  await userEvent.click(screen.getByLabelText("Mix in items with known answers"));
  const practice = await screen.findByLabelText("Practice that they come from");
  expect(
    within(practice)
      .getAllByRole("option")
      .map((each) => each.textContent),
  ).toEqual(["Choose one", "1. Known sentences: 40 keys"]);
  expect(practice).toHaveAccessibleDescription(/Choose the practice that they come from/);
  await userEvent.selectOptions(practice, "q1");
  const share = screen.getByLabelText("Check items in percent of the items");
  expect(share).toHaveAccessibleDescription(/5 check items beside the others/);
  await userEvent.clear(share);
  await userEvent.type(share, "21");
  expect(share).toHaveAccessibleDescription(/Write a whole number from 1 to 20/);
  await userEvent.clear(share);
  await userEvent.type(share, "7");
  expect(checksFaults(asked)).toEqual({});
  expect(checksBody(asked)).toEqual({ check_items: { practice: "q1", percent: 7 } });
  await expectAccessible(container);
  await userEvent.click(screen.getByLabelText("Mix in items with known answers"));
  expect(checksBody(asked)).toEqual({});
});

it("says how to make a practice where there is none to take them from", async () => {
  serve({ [PRACTICES]: { practices: [OPENED] } });
  renderScreen(Form);
  await userEvent.click(screen.getByLabelText("Mix in items with known answers"));
  expect(await screen.findByText(/do not open it/)).toBeVisible();
});

it("counts them as the server does: rounded, and one at least", () => {
  const of = (percent: string): Checks => ({ practice: "q1", percent });
  expect([checkCount(10, of("1")), checkCount(100, of("5")), checkCount(50, of("3"))]).toEqual([1, 5, 2]);
  expect(checkCount(49, of("3"))).toBe(1);
  expect(checkCount(100, of("x"))).toBeNull();
});

const RESULTS: BatchChecks = {
  size: 5,
  is_hidden: false,
  people: [
    {
      id: "m2",
      display_name: "Ann",
      answered: 4,
      right: 3,
      skipped: 1,
      share: 0.75,
      low: 0.3006,
      high: 0.9544,
    },
    { id: "m3", display_name: "Ben", answered: 0, right: 0, skipped: 0, share: null, low: null, high: null },
  ],
};
const Results = () => <CheckResults batch={{ id: "b1", n_checks: 5 }} name="round 3" />;

it("shows how each person of a batch did", async () => {
  serve({ "GET /api/batches/b1/check-items/": RESULTS });
  renderScreen(Results);
  await userEvent.click(screen.getByRole("button", { name: "5 check items" }));
  const dialog = await screen.findByRole("dialog", { name: "Check items of round 3" });
  const row = async (name: string) => (await within(dialog).findByText(name)).closest("tr");
  expect(await row("Ann")).toHaveTextContent("Ann43 of 4: 75.0 % [30, 95]1");
  expect(await row("Ben")).toHaveTextContent("Ben0–0");
  await expectAccessible(dialog);
});

it("hides them from who can still answer there", async () => {
  serve({ "GET /api/batches/b1/check-items/": { size: 5, is_hidden: true, people: [] } });
  renderScreen(Results);
  await userEvent.click(screen.getByRole("button", { name: "5 check items" }));
  expect(await screen.findByText(/You can still answer or revise in this batch/)).toBeVisible();
  expect(screen.queryByRole("table")).toBeNull();
});

it("shows nothing of a batch without check items", () => {
  renderScreen(() => <CheckResults batch={{ id: "b1", n_checks: 0 }} name="round 3" />);
  expect(screen.queryByRole("button")).toBeNull();
});
