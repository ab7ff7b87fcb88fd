import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { expectAccessible, renderScreen, serve } from "../../test/admin";
import type { ItemListed } from "./api";
import { Component } from "./index";

const IN_POOL: ItemListed = {
  id: "i1",
  item_id: "doc_1",
  text: "Rates should rise.",
  document: "Minutes",
  left_out: "",
  left_out_reason: "",
  batch: null,
  done: 0,
  total: 0,
};
const GIVEN: ItemListed = {
  ...IN_POOL,
  id: "i2",
  item_id: "doc_2",
  batch: { kind: "round", number: 3 },
  done: 1,
  total: 3,
};

function open(items: ItemListed[], more = {}) {
  const page = { items, n: items.length, page: 1, n_pages: 1 };
  const asked = serve({ "GET /api/projects/p1/items/": page, ...more });
  return { asked, ...renderScreen(Component) };
}

it("looks items up, and says where each stands", async () => {
  const { asked, container, router } = open([IN_POOL, GIVEN]);
  expect(await screen.findByText(/Minutes · in the pool, given to nobody yet/)).toBeVisible();
  expect(screen.getByText(/round 3, 1 of 3 answered/)).toBeVisible();
  expect(screen.getAllByRole("link", { name: "Look at its answers" })).toHaveLength(1);
  await userEvent.type(screen.getByLabelText("Id or words of the text"), "doc{Enter}");
  await waitFor(() => expect(asked.at(-1)?.path).toContain("q=doc&which=all&page=1"));
  expect(router.state.location.search).toContain("q=doc");
  await expectAccessible(container);
});

it("leaves an item out once a reason is given", async () => {
  const { asked, container } = open([IN_POOL], {
    "POST /api/items/i1/leave-out/": { ...IN_POOL, left_out: "by_admin" },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Leave out item doc_1" }));
  const dialog = screen.getByRole("dialog");
  expect(within(dialog).getByRole("button", { name: "Leave it out" })).toBeDisabled();
  await userEvent.type(within(dialog).getByLabelText("Why"), "A test row");
  await expectAccessible(container);
  await userEvent.click(within(dialog).getByRole("button", { name: "Leave it out" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ reason: "A test row" });
});

it("takes one back", async () => {
  const { asked } = open([{ ...IN_POOL, left_out: "by_admin", left_out_reason: "A test row" }], {
    "POST /api/items/i1/take-back/": IN_POOL,
  });
  expect(await screen.findByText("A test row")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Take back item doc_1" }));
  await waitFor(() => expect(asked.some(({ path }) => path === "/api/items/i1/take-back/")).toBe(true));
});
