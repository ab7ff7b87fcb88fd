import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Insights } from "../../../api/insights";
import { Answer, expectAccessible, PROJECT, renderScreen, serve } from "../../../test/admin";
import { EMPTY, makeInsights, PROTOTYPE } from "../../../test/insights";
import { page } from "../../../test/rounds";
import type { PrototypePage } from "./api";
import { PrototypeCard } from "./PrototypeCard";

const PATH = "/api/projects/p1/prototype/";
const NONE: PrototypePage = { batch: null, may_open: true, reasons: [] };
const OPEN: PrototypePage = {
  batch: {
    id: "b9",
    closed_at: null,
    frozen_at: null,
    number: 1,
    size: 200,
    done: 150,
    total: 600,
    complete: false,
    n_checks: 0,
    random_state: 7,
    annotators_per_item: 3,
    annotators: [{ id: "m2", display_name: "Ann", done: 150, total: 200 }],
  },
  may_open: false,
  reasons: ["Prototype batch 1 is still open."],
};

const Screen = () => <PrototypeCard project={PROJECT} people={page().annotators} asksQuestions />;
const SpansOnly = () => <PrototypeCard project={PROJECT} people={page().annotators} asksQuestions={false} />;

function open(shown: unknown, insights: Insights = EMPTY, routes: Record<string, unknown> = {}) {
  const asked = serve({ [`GET ${PATH}`]: shown, "GET /api/projects/p1/insights/": insights, ...routes });
  return { asked, ...renderScreen(Screen) };
}

it("says what it is for, and opens one with the usual settings", async () => {
  const { asked, container } = open(NONE, EMPTY, { [`POST ${PATH}`]: new Answer(201, OPEN) });
  expect(
    await screen.findByText(/kept out of training, of the released data and of the budget/),
  ).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Open a prototype batch" }));
  await expectAccessible(container);
  await userEvent.click(screen.getByLabelText("Dag"));
  await userEvent.click(screen.getByRole("button", { name: "Open it" }));
  const dialog = within(screen.getByRole("dialog", { name: "Open the prototype batch?" }));
  expect(dialog.getByText(/takes 200 items out of the pool/)).toBeVisible();
  expect(asked.every(({ method }) => method === "GET")).toBe(true);
  await userEvent.click(dialog.getByRole("button", { name: "Open the batch" }));
  await waitFor(() => expect(asked.some(({ method }) => method === "POST")).toBe(true));
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
    size: 200,
    random_state: expect.any(Number),
    annotators: ["m2", "m3", "m4"],
    annotators_per_item: 3,
  });
});

it("checks what was typed before it sends, and shows the server's refusals at their fields", async () => {
  const errors = { size: ["The pool has only 90 items."] };
  const { asked } = open(NONE, EMPTY, { [`POST ${PATH}`]: new Answer(400, { detail: "Mend.", errors }) });
  await userEvent.click(await screen.findByRole("button", { name: "Open a prototype batch" }));
  const size = screen.getByLabelText("Items in the prototype batch");
  await userEvent.clear(size);
  await userEvent.click(screen.getByRole("button", { name: "Open it" }));
  expect(size).toHaveAccessibleDescription(/whole number of 1 or more/);
  expect(asked.every(({ method }) => method === "GET")).toBe(true);
  await userEvent.type(size, "100");
  await userEvent.click(screen.getByRole("button", { name: "Open it" }));
  await userEvent.click(screen.getByRole("button", { name: "Open the batch" }));
  await waitFor(() => expect(size).toHaveAccessibleDescription(/only 90 items/));
});

it("says in the server's words why it was not opened", async () => {
  const conflict = new Answer(409, { code: "round_at_work", detail: "Round 2 is choosing its batch." });
  open(NONE, EMPTY, { [`POST ${PATH}`]: conflict });
  await userEvent.click(await screen.findByRole("button", { name: "Open a prototype batch" }));
  await userEvent.click(screen.getByRole("button", { name: "Open it" }));
  await userEvent.click(screen.getByRole("button", { name: "Open the batch" }));
  expect(await screen.findByText("Round 2 is choosing its batch.")).toBeVisible();
});

it("shows how far it is, and the base rate so far", async () => {
  const { container } = open(OPEN, makeInsights({ batches: [{ ...PROTOTYPE, complete: false }] }));
  expect(await screen.findByText(/150 of 600 assignments done/)).toHaveTextContent("each for 3 people");
  expect(
    await screen.findByText(/Base rate at “Opinion” so far: 25.3 % \[19.0, 33.0\], n = 146/),
  ).toBeVisible();
  expect(screen.getByText(/No other can be opened now: Prototype batch 1 is still open/)).toBeVisible();
  expect(screen.getAllByRole("button").map((button) => button.textContent)).toEqual([
    "Hand open items over",
    "Who works on it",
    "Close the batch with what is there",
    "Suggestions of a model",
  ]);
  await expectAccessible(container);
});

it("says that a base rate comes with answers, and which one stays the baseline", async () => {
  const complete = {
    ...OPEN,
    batch: { ...(OPEN.batch as NonNullable<PrototypePage["batch"]>), number: 2, complete: true },
  };
  const baseline = {
    source: "prototype" as const,
    batch: 1,
    positives: 37,
    n: 146,
    share: 0.2534,
    low: 0.19,
    high: 0.33,
  };
  open(complete, makeInsights({ batches: [PROTOTYPE, { ...PROTOTYPE, number: 2 }], baseline }));
  expect(await screen.findByText(/The baseline stays prototype batch 1 \(25.3 %\)/)).toBeVisible();
});

it("says that the base rate is known once people have answered", async () => {
  open(OPEN, EMPTY);
  expect(await screen.findByText(/known once people have answered/)).toBeVisible();
});

it("speaks of no positives where the codebook only marks spans", async () => {
  const asked = serve({ [`GET ${PATH}`]: OPEN });
  renderScreen(SpansOnly);
  expect(await screen.findByText(/150 of 600 assignments done/)).toBeVisible();
  expect(asked.map(({ path }) => path)).toEqual([PATH]);
  expect(screen.queryByText(/base rate/i)).toBeNull();
});

it("is for trying the codebook there", async () => {
  serve({ [`GET ${PATH}`]: NONE });
  renderScreen(SpansOnly);
  expect(await screen.findByText(/lets people try the codebook before it counts/)).toBeVisible();
});

const REST = {
  id: "b9",
  kind: "prototype",
  number: 1,
  annotators_per_item: 3,
  closed_at: null,
  frozen_at: null,
  open: 450,
  short: 200,
  unanswered: 50,
  joiners: [],
  priority: 5,
  people: [
    {
      id: "m2",
      display_name: "Ann",
      is_active: true,
      done: 150,
      open: 50,
      takers: [{ id: "m9", display_name: "Ida", items: 50, is_admin: false }],
    },
  ],
};

it("is closed with what is there, or handed over, as a round's batch is", async () => {
  const { asked } = open(OPEN, EMPTY, {
    "GET /api/batches/b9/rest/": REST,
    "POST /api/batches/b9/hand-over/": REST,
    "POST /api/batches/b9/close/": { ...REST, open: 0 },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Hand open items over" }));
  const hand = within(await screen.findByRole("dialog", { name: "Hand over open items of prototype 1" }));
  await userEvent.click(await hand.findByRole("button", { name: "Hand over 50 items" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await userEvent.click(screen.getByRole("button", { name: "Close the batch with what is there" }));
  const close = within(await screen.findByRole("dialog", { name: "Close the batch of prototype 1?" }));
  expect(await close.findByText(/450 open assignments are withdrawn \(Ann 50\)/)).toBeVisible();
  await userEvent.click(close.getByRole("button", { name: "Close the batch" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body])).toEqual([
    ["/api/batches/b9/hand-over/", { giver: "m2", taker: "m9" }],
    ["/api/batches/b9/close/", undefined],
  ]);
});

it("is opened again until a round has begun", async () => {
  const batch = { ...OPEN.batch, complete: true, closed_at: "2025-11-28T10:00:00Z" };
  const { asked } = open({ ...OPEN, batch }, EMPTY, { "POST /api/batches/b9/reopen/": REST });
  await userEvent.click(await screen.findByRole("button", { name: "Open it again" }));
  await waitFor(() => expect(asked.some(({ path }) => path === "/api/batches/b9/reopen/")).toBe(true));
});

it("stays closed once a round has begun", async () => {
  const moment = "2025-11-28T10:00:00Z";
  open({ ...OPEN, batch: { ...OPEN.batch, complete: true, closed_at: moment, frozen_at: moment } });
  expect(await screen.findByText(/150 of 600 assignments done: complete/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Open it again" })).toBeNull();
});
