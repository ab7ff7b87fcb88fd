import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { expectAccessible } from "../../test/admin";
import { AFTER_ONE, page, round } from "../../test/rounds";
import { open } from "../../test/roundsPage";

const BATCH = {
  id: "b1",
  closed_at: null,
  number: 1,
  size: 50,
  done: 103,
  total: 150,
  complete: false,
  n_checks: 0,
};
const HALF = page({ rounds: [round({ state: "annotating", batch: BATCH })], next: AFTER_ONE });
const REST = {
  id: "b1",
  kind: "round",
  number: 1,
  annotators_per_item: 3,
  closed_at: null,
  frozen_at: null,
  open: 47,
  short: 40,
  unanswered: 2,
  joiners: [{ id: "m4", display_name: "Cleo", items: 45, is_admin: false }],
  priority: 5,
  people: [
    {
      id: "m2",
      display_name: "Anna",
      is_active: true,
      done: 10,
      open: 40,
      withdrawn: 0,
      takers: [{ id: "m9", display_name: "Ida", items: 40, is_admin: true }],
    },
    { id: "m3", display_name: "Ben", is_active: true, done: 43, open: 7, withdrawn: 0, takers: [] },
  ],
};

it("closes a batch after naming what goes", async () => {
  const { asked, container } = open(HALF, {
    "GET /api/batches/b1/rest/": REST,
    "POST /api/batches/b1/close/": { ...REST, open: 0 },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Close the batch with what is there" }));
  const dialog = await screen.findByRole("dialog");
  await within(dialog).findByText(/47 open assignments are withdrawn \(Anna 40, Ben 7\)/);
  expect(dialog).toHaveTextContent("40 items have fewer than 3 answers. 2 items have no answer at all.");
  await expectAccessible(container);
  await userEvent.click(within(dialog).getByRole("button", { name: "Close the batch" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked.some(({ path }) => path === "/api/batches/b1/close/")).toBe(true);
});

it("proposes somebody who is no admin, where there is one", async () => {
  const [anna] = REST.people;
  if (!anna) throw new Error("REST has people");
  const takers = [...anna.takers, { id: "m4", display_name: "Cleo", items: 12, is_admin: false }];
  open(HALF, { "GET /api/batches/b1/rest/": { ...REST, people: [{ ...anna, takers }] } });
  await userEvent.click(await screen.findByRole("button", { name: "Hand open items over" }));
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByLabelText("To")).toHaveDisplayValue("Cleo: can take 12");
  expect(within(dialog).getAllByRole("option", { name: /can take/ })).toHaveLength(2);
});

it("hands open items to somebody who has not had them", async () => {
  const { asked, container } = open(HALF, {
    "GET /api/batches/b1/rest/": REST,
    "POST /api/batches/b1/hand-over/": REST,
  });
  await userEvent.click(await screen.findByRole("button", { name: "Hand open items over" }));
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByLabelText("From")).toHaveDisplayValue("Anna: 40 open items");
  expect(dialog).toHaveTextContent("40 items go from Anna to Ida.");
  expect(dialog).toHaveTextContent("Ida is an admin, and can have looked at what others answered.");
  await expectAccessible(container);
  await userEvent.click(within(dialog).getByRole("button", { name: "Hand over 40 items" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ giver: "m2", taker: "m9" });
});

it("takes a person off", async () => {
  const routes: Record<string, unknown> = {
    "GET /api/batches/b1/rest/": REST,
    "POST /api/batches/b1/take-off/": REST,
  };
  const { asked, container } = open(HALF, routes);
  await userEvent.click(await screen.findByRole("button", { name: "Who works on it" }));
  const dialog = await screen.findByRole("dialog");
  await within(dialog).findByRole("button", { name: "Take off: Ben" });
  await expectAccessible(container);
  await userEvent.click(within(dialog).getByRole("button", { name: "Take off: Anna" }));
  await waitFor(() => expect(asked.filter(({ method }) => method === "POST")).toHaveLength(1));
  expect(asked.find(({ method }) => method === "POST")).toMatchObject({
    path: "/api/batches/b1/take-off/",
    body: { person: "m2" },
  });
});

it("offers to put back who was taken off", async () => {
  const [anna, ben] = REST.people;
  const off = { ...REST, people: [{ ...anna, open: 0, withdrawn: 40 }, ben] };
  const { asked } = open(HALF, { "GET /api/batches/b1/rest/": off, "POST /api/batches/b1/put-back/": REST });
  await userEvent.click(await screen.findByRole("button", { name: "Who works on it" }));
  await userEvent.click(await screen.findByRole("button", { name: "Put back: Anna" }));
  await waitFor(() => expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ person: "m2" }));
});

it("adds a person after saying for how much, and sets the priority", async () => {
  const { asked } = open(HALF, {
    "GET /api/batches/b1/rest/": REST,
    "POST /api/batches/b1/add-person/": REST,
    "POST /api/batches/b1/priority/": { ...REST, priority: 1 },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Who works on it" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByRole("button", { name: "Add" })).toBeDisabled();
  await userEvent.selectOptions(dialog.getByLabelText("Add a person"), "Cleo: 45 items");
  expect(dialog.getByText(/45 items wait for an answer that Cleo can give/)).toBeVisible();
  await userEvent.click(dialog.getByRole("button", { name: "Add" }));
  await userEvent.selectOptions(dialog.getByLabelText("Priority"), "1: first");
  await waitFor(() =>
    expect(asked.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body])).toEqual([
      ["/api/batches/b1/add-person/", { person: "m4" }],
      ["/api/batches/b1/priority/", { priority: 1 }],
    ]),
  );
});

it("shows batches of chosen items beside the rounds", async () => {
  const annotators = [{ id: "m2", display_name: "Anna", done: 3, total: 12 }];
  const chosen = { ...BATCH, id: "b7", number: 2, size: 12, done: 3, total: 12, annotators_per_item: 1 };
  const shown = { ...chosen, frozen_at: null, random_state: null, annotators };
  const { container } = open(HALF, { "GET /api/projects/p1/chosen-batches/": [shown] });
  const card = within(await screen.findByRole("region", { name: "Batches of chosen items" }));
  expect(card.getByText(/Batch 2: 12 items, each for 1 person. 3 of 12 assignments done/)).toBeVisible();
  expect(card.getByRole("button", { name: "Who works on it" })).toBeVisible();
  await expectAccessible(container);
});

it("opens a closed batch again", async () => {
  const closed = round({ batch: { ...BATCH, complete: true, closed_at: "2025-11-28T10:00:00Z" } });
  const { asked } = open(page({ rounds: [closed], next: AFTER_ONE }), {
    "POST /api/batches/b1/reopen/": REST,
  });
  await userEvent.click(await screen.findByRole("button", { name: "Open it again" }));
  await waitFor(() => expect(asked.some(({ path }) => path === "/api/batches/b1/reopen/")).toBe(true));
});
