import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import type { Remark } from "./api";
import { Component } from "./index";

const REMARK: Remark = {
  id: "r1",
  kind: "comment",
  words: "Is this an opinion?",
  created_at: "2025-11-28T10:00:00Z",
  person: "m2",
  who: "Ann",
  batch_kind: "round",
  batch_number: 2,
  codebook: 1,
  item: "i1",
  item_id: "doc_1",
  text: "Rates should rise.",
  before: "Well. ",
  after: " I think.",
  resolved: false,
  resolved_at: null,
  resolved_by: null,
  n_messages: 0,
  waits: false,
  unread: false,
  messages: [],
};

function open(remarks: Remark[], hidden = 0) {
  const page = {
    remarks,
    n: remarks.length,
    hidden,
    page: 1,
    n_pages: 1,
    batches: [{ id: "b2", kind: "round", number: 2 }],
  };
  const asked = serve({
    "GET /api/projects/p1/remarks/": page,
    "GET /api/projects/p1/members/": [],
    "POST /api/projects/p1/remarks/r1/": new Answer(204, null),
  });
  return { asked, ...renderScreen(Component) };
}

it("lists what was remarked, in its text, and resolves it", async () => {
  const { asked, container } = open([REMARK]);
  expect(await screen.findByText("Is this an opinion?")).toBeVisible();
  expect(screen.getByText("Rates should rise.")).toBeVisible();
  expect(screen.getByRole("link", { name: "Look at its answers" })).toHaveAttribute(
    "href",
    "/projects/p1/adjudication/i1?kind=any",
  );
  await expectAccessible(container);
  await userEvent.click(screen.getByRole("button", { name: "Mark as resolved" }));
  await waitFor(() =>
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ resolved: true }),
  );
});

it("filters, and says what blindness hides", async () => {
  const { asked, router } = open([], 3);
  expect(await screen.findByText(/3 remarks not shown: you annotate these items yourself/)).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText("Kind"), "flag");
  await waitFor(() => expect(asked.some(({ path }) => path.includes("kind=flag"))).toBe(true));
  expect(router.state.location.search).toContain("kind=flag");
});
