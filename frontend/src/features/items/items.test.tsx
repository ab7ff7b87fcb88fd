import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import type { ItemChoices, ItemHistory, ItemListed } from "./api";
import { Component } from "./index";

const IN_POOL: ItemListed = {
  id: "i1",
  item_id: "doc_1",
  text: "Rates should rise.",
  speaker: null,
  document: { title: "Minutes", external_id: "m" },
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

const CHOICES: ItemChoices = {
  batches: [{ id: "b3", kind: "round", number: 3 }],
  stages: [
    { key: "opinion", title: "Opinion", labels: [{ key: "yes", name: "Yes" }] },
    { key: "why", title: "Why", labels: [] },
  ],
};
const ALICE = { id: "m2", display_name: "Alice", role: "annotator", may: ["rate"], is_active: true };
const PARTY = { path: ["party"], name: "party", example: "Labour", shown: false };
const lastList = (asked: { path: string }[]) =>
  new URLSearchParams(
    asked
      .filter(({ path }) => path.includes("/items/?"))
      .at(-1)
      ?.path.split("?")[1],
  );

function open(items: ItemListed[], more = {}, address = "/") {
  const asked = serve({
    "GET /api/projects/p1/items/": { items, before: null, after: null },
    "GET /api/projects/p1/items/count/": { n: items.length, hidden: 0 },
    "GET /api/projects/p1/items/choices/": CHOICES,
    "GET /api/projects/p1/columns/": { columns: [PARTY] },
    "GET /api/projects/p1/members/": [],
    ...more,
  });
  return { asked, ...renderScreen(Component, {}, address, "/:itemId?") };
}

it("looks items up, and says where each stands", async () => {
  const { asked, container, router } = open([IN_POOL, GIVEN]);
  expect(await screen.findByText(/Minutes · in the pool, given to nobody yet/)).toBeVisible();
  expect(screen.getByText(/round 3, 1 of 3 answered/)).toBeVisible();
  expect(screen.getAllByRole("link", { name: "Look at its answers" })).toHaveLength(1);
  await userEvent.type(screen.getByLabelText("Words of the text, or an id"), "doc{Enter}");
  await waitFor(() => expect(lastList(asked).get("q")).toBe("doc"));
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

it("filters by what a link says, and by what is chosen", async () => {
  const { asked, container, router } = open(
    [GIVEN],
    { "GET /api/projects/p1/items/count/": { n: 1, hidden: 4 } },
    `/?state=done&column=${encodeURIComponent('["party","Labour"]')}`,
  );
  expect(await screen.findByText(/1 item found\. 4 more not looked at/)).toBeVisible();
  expect(lastList(asked).get("state")).toBe("done");
  expect(lastList(asked).getAll("column")).toEqual(['["party","Labour"]']);
  expect(screen.getByLabelText("Label")).toBeDisabled();
  await userEvent.selectOptions(screen.getByLabelText("Stage"), "Opinion");
  await userEvent.selectOptions(screen.getByLabelText("Label"), "Yes");
  await waitFor(() => expect(lastList(asked).get("label")).toBe("yes"));
  expect(Object.fromEntries(lastList(asked))).toMatchObject({ state: "done", stage: "opinion" });
  await userEvent.click(screen.getByRole("button", { name: "Take away: party: Labour" }));
  await waitFor(() => expect(lastList(asked).has("column")).toBe(false));
  // Another stage has other labels.
  await userEvent.selectOptions(screen.getByLabelText("Stage"), "Why");
  await waitFor(() => expect(router.state.location.search).toBe("?state=done&stage=why"));
  await expectAccessible(container);
});

it("goes from page to page by the last item, and begins anew with another filter", async () => {
  const { asked } = open([IN_POOL], {
    "GET /api/projects/p1/items/": { items: [IN_POOL], before: null, after: "i1" },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Forward" }));
  await waitFor(() => expect(lastList(asked).get("after")).toBe("i1"));
  await userEvent.selectOptions(screen.getByLabelText("Order"), "The longest first");
  await waitFor(() => expect(lastList(asked).get("sort")).toBe("-length"));
  expect(lastList(asked).has("after")).toBe(false);
});

it("leads back from a page whose items are gone", async () => {
  const { asked, router } = open([], {}, "/?q=rates&after=i1&sort=id");
  await userEvent.click(await screen.findByRole("button", { name: "To the first page" }));
  await waitFor(() => expect(lastList(asked).has("after")).toBe(false));
  expect(router.state.location.search).toBe("?q=rates&sort=id");
  expect(screen.queryByRole("button", { name: "To the first page" })).toBeNull();
});

it("reads the columns once they are unfolded, and Enter adds a value with its spaces", async () => {
  const { asked } = open([IN_POOL]);
  await screen.findByText(/Minutes · in the pool/);
  const columns = () => asked.filter(({ path }) => path.includes("/columns/"));
  expect(columns()).toHaveLength(0);
  await userEvent.click(screen.getByText("More filters"));
  await userEvent.type(await screen.findByLabelText("Its value"), " Labour {Enter}");
  await waitFor(() => expect(lastList(asked).getAll("column")).toEqual(['["party"," Labour "]']));
  expect(columns()).toHaveLength(1);
});

it("leaves out what is ticked, after saying how many that are, and sends a retry under the same id", async () => {
  let tries = 0;
  const { asked, container } = open([IN_POOL, GIVEN], {
    "POST /api/projects/p1/items/preview/": { chosen: 2, acted_on: 1 },
    "POST /api/projects/p1/items/acts/": () => {
      tries += 1;
      return tries === 1 ? new Answer(503, { detail: "Try again." }) : { id: "a1", n: 1, batch: null };
    },
  });
  await userEvent.click(await screen.findByRole("checkbox", { name: "Tick item doc_1" }));
  await userEvent.click(screen.getByRole("checkbox", { name: "Tick item doc_2" }));
  expect(screen.getByText("Of the 2 ticked items:")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Leave out" }));
  const dialog = within(screen.getByRole("dialog"));
  expect(await dialog.findByText(/Of the 2 ticked items, 1 of 2 can be left out/)).toBeVisible();
  await userEvent.type(dialog.getByLabelText("Why"), "Headings");
  await expectAccessible(container);
  await userEvent.click(dialog.getByRole("button", { name: "Leave them out" }));
  expect(await dialog.findByText("Try again.")).toBeVisible();
  await waitFor(() => expect(dialog.getByRole("button", { name: "Leave them out" })).toBeEnabled());
  await userEvent.click(dialog.getByRole("button", { name: "Leave them out" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const [first, retry] = asked.filter(({ path }) => path.endsWith("/items/acts/")).map(({ body }) => body);
  expect(first).toEqual(retry);
  expect(first).toMatchObject({ act: "leave_out", items: ["i1", "i2"], expected: 1, reason: "Headings" });
  expect(screen.getByRole("checkbox", { name: "Tick item doc_1" })).not.toBeChecked();
});

it("sends no shares that are no whole numbers, and says so beside them", async () => {
  const { asked } = open(
    [IN_POOL],
    {
      "GET /api/projects/p1/members/": [ALICE, { ...ALICE, id: "m3", display_name: "Zoe" }],
      "POST /api/projects/p1/items/preview/": { chosen: 40, acted_on: 40 },
      "POST /api/projects/p1/items/acts/": { id: "a1", n: 40, batch: { id: "b4", number: 1 } },
    },
    "/?state=pool&q=rates",
  );
  await userEvent.click(await screen.findByRole("button", { name: "Open a batch" }));
  const dialog = within(screen.getByRole("dialog"));
  await dialog.findByText(/Of all that match, 40 of 40/);
  await userEvent.click(dialog.getByLabelText("Alice"));
  await userEvent.click(dialog.getByLabelText("Zoe"));
  const perItem = dialog.getByLabelText("Annotators per item");
  await userEvent.clear(perItem);
  expect(perItem).toHaveValue("");
  await userEvent.type(perItem, "1");
  await userEvent.click(dialog.getByLabelText("By shares"));
  const parts = dialog.getByLabelText("Parts of Zoe");
  await userEvent.clear(parts);
  await userEvent.type(parts, "1.5");
  await userEvent.click(dialog.getByRole("button", { name: "Open the batch" }));
  expect(await dialog.findByText(/Write a whole number from 1/)).toBeVisible();
  expect(asked.some(({ path }) => path.endsWith("/items/acts/"))).toBe(false);
  await userEvent.clear(parts);
  await userEvent.type(parts, "2");
  await userEvent.click(dialog.getByRole("button", { name: "Open the batch" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked.find(({ path }) => path.endsWith("/items/acts/"))?.body).toMatchObject({
    shares: { m2: 1, m3: 2 },
  });
});

it("opens a batch of all that match for chosen people", async () => {
  const { asked } = open(
    [IN_POOL],
    {
      "GET /api/projects/p1/members/": [ALICE, { ...ALICE, id: "m3", display_name: "Zoe", is_active: false }],
      "POST /api/projects/p1/items/preview/": { chosen: 40, acted_on: 40 },
      "POST /api/projects/p1/items/acts/": { id: "a1", n: 40, batch: { id: "b4", number: 1 } },
    },
    "/?state=pool&q=rates",
  );
  await userEvent.click(await screen.findByRole("button", { name: "Open a batch" }));
  const dialog = within(screen.getByRole("dialog"));
  expect(await dialog.findByText(/Of all that match, 40 of 40 are in the pool/)).toBeVisible();
  expect(dialog.queryByLabelText("Zoe")).toBeNull();
  await userEvent.click(dialog.getByLabelText("Alice"));
  expect(dialog.getByLabelText("Outside the rounds")).toBeChecked();
  await userEvent.click(dialog.getByLabelText("The next round"));
  await userEvent.click(dialog.getByRole("button", { name: "Open the batch" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked.find(({ path }) => path.endsWith("/items/acts/"))?.body).toMatchObject({
    act: "open_batch",
    filters: { state: "pool", q: "rates" },
    expected: 40,
    annotators: ["m2"],
    annotators_per_item: 1,
    as_round: true,
  });
});

const LINE = { at: "2026-03-01T10:00:00Z", who: "", answers: null, spans: [], note: "", is_hidden: false };
const ASKED: ItemHistory = {
  project: "p1",
  listed: GIVEN,
  item: {
    id: "i2",
    external_id: "doc_2",
    text: "Rates should rise.",
    speaker: null,
    document: { title: "Minutes", external_id: "m" },
    utterance: null,
    sentence_number: 1,
    context: {
      utterance: { speaker: null, before: "So I think: ", after: "" },
      minus_5_sentences: [],
      minus_200_tokens: [],
    },
    beside: [],
    sources: [],
    marks: [],
  },
  columns: [{ name: "party", value: "Labour" }],
  lines: [
    { ...LINE, sentence: "Imported from minutes.csv." },
    { ...LINE, who: "Alice", sentence: "Answered it in the batch of round 3.", is_hidden: true },
  ],
  hidden: { code: "own_answer", detail: "You answered this item yourself." },
};

it("tells an item's history, and shows others' answers once one's own is locked", async () => {
  const [imported, answered] = ASKED.lines;
  const answers = [{ stage: "Opinion", answer: "Yes" }];
  const shown = {
    ...ASKED,
    hidden: null,
    lines: [imported, { ...answered, answers, note: "Not sure", is_hidden: false }],
  };
  const { asked, container } = open(
    [],
    {
      "GET /api/items/i2/history/": ({ path }: { path: string }) =>
        path.endsWith("own=locked") ? shown : ASKED,
    },
    "/i2",
  );
  expect(await screen.findByRole("heading", { name: "Item doc_2" })).toBeVisible();
  expect(screen.getByText("So I think:")).toBeVisible();
  expect(screen.getByText("Labour")).toBeVisible();
  expect(screen.getByText("What it says is hidden from you.")).toBeVisible();
  expect(screen.queryByText("Not sure")).toBeNull();
  await expectAccessible(container);
  await userEvent.click(screen.getByRole("button", { name: /Mine stays as it is/ }));
  expect(await screen.findByText("Not sure")).toBeVisible();
  expect(screen.getByText("Yes")).toBeVisible();
  expect(screen.queryByRole("button", { name: /Mine stays/ })).toBeNull();
  expect(asked.filter(({ path }) => path.includes("/history/"))).toHaveLength(2);
});

it("does not show another project's item", async () => {
  open([], { "GET /api/items/i2/history/": { ...ASKED, project: "p2" } }, "/i2");
  expect(await screen.findByRole("heading", { name: "Nothing here" })).toBeVisible();
  expect(screen.queryByText("Labour")).toBeNull();
});

it("keeps an item's page when reading it again fails", async () => {
  let answers = 0;
  const history = () => {
    answers += 1;
    return answers === 1 ? ASKED : new Answer(503, { detail: "Try again." });
  };
  open([], { "GET /api/items/i2/history/": history }, "/i2");
  expect(await screen.findByText("Labour")).toBeVisible();
  act(() => {
    window.dispatchEvent(new Event("visibilitychange"));
  });
  await waitFor(() => expect(answers).toBe(2));
  // The answer arrives in a later task.
  await act(() => new Promise((done) => setTimeout(done, 50)));
  expect(screen.getByText("Labour")).toBeVisible();
});
