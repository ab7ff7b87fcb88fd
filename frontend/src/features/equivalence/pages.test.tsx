import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, onTestFinished, vi } from "vitest";
import { expectAccessible, renderScreen, roleOf, serve } from "../../test/admin";
import { EVALUATION, OVERVIEW, openEditor } from "../../test/equivalence";
import { equivalenceApi } from "./api";
import { Component as List } from "./index";
import { Component as Instances } from "./instances";
import type { FileRead } from "./types";

const ROOT = "/api/projects/p1/equivalence/";
const HERE = "/projects/p1/equivalence";
const READ: FileRead = {
  created: [],
  changed: [],
  unchanged: [],
  unknown_categories: [],
  faults: [],
  notices: [],
};

const INSTANCE = {
  ...{ annotation: "scope", evaluation: "temporal scope", target: "t1", prefix: "It acts", item: "week-1" },
  ...{ positive: "soon", negative: "next year", positive_class: 0, negative_class: 1 },
  ...{ item_text: "It acts soon.", start: 8, end: 12 },
};

function openList(routes: Record<string, unknown> = {}) {
  const asked = serve({ [`GET ${ROOT}`]: OVERVIEW, ...routes });
  return { asked, ...renderScreen(List, roleOf("admin"), HERE, HERE) };
}

/** The list with its card for a file, which the server reads in this way. */
async function openImport(read: FileRead) {
  openList();
  // XMLHttpRequest, which uploads take, has no stand-in here.
  const reading = vi.spyOn(equivalenceApi, "importFile").mockResolvedValue(read);
  onTestFinished(() => reading.mockRestore());
  await userEvent.click(await screen.findByRole("button", { name: "Import a file" }));
  const card = within(screen.getByRole("region", { name: "Import evaluations" }));
  await userEvent.upload(card.getByLabelText("Choose a file"), new File(["[]"], "classes.json"));
  return { card, dryRuns: () => reading.mock.calls.map(([, , isDryRun]) => isDryRun) };
}

function openInstances() {
  const asked = serve({
    [`GET ${ROOT}`]: OVERVIEW,
    "GET /api/projects/p1/releases/": { releases: [{ number: 2, state: "done" }] },
    [`GET ${ROOT}instances/`]: {
      ...{ tallies: [], left_out: [], evaluations_left_out: [], n: 3, n_hidden: 2, page: 1, n_pages: 1 },
      instances: [INSTANCE],
    },
  });
  return { asked, ...renderScreen(Instances, roleOf("admin"), `${HERE}/instances`, `${HERE}/instances`) };
}

it("lists evaluations with their size and review, and removes one after a question", async () => {
  const { asked, container } = openList({ [`POST ${ROOT}e1/remove/`]: EVALUATION });
  const row = (await screen.findByRole("link", { name: "temporal scope" })).closest("tr");
  expect(row).toHaveTextContent("2 open");
  await expectAccessible(container);
  await userEvent.click(screen.getByRole("button", { name: "Remove temporal scope" }));
  expect(asked.filter(({ method }) => method === "POST")).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Remove the evaluation" }));
  await waitFor(() => expect(asked.some(({ path }) => path.endsWith("e1/remove/"))).toBe(true));
});

it("shows the faults of a file at their places, and imports nothing", async () => {
  const faults = [
    { place: "[0].annotation", message: "“verb” is no category of the codebook" },
    { place: "[1].equivalence_classes[0][1]", message: "'cut ' is in two classes" },
  ];
  const { card, dryRuns } = await openImport({ ...READ, created: ["acts"], faults });
  const table = within(await card.findByRole("table"));
  for (const { place, message } of faults)
    expect(table.getByText(place).closest("tr")).toHaveTextContent(message);
  expect(card.getByRole("button", { name: "Import 1 evaluation" })).toBeDisabled();
  expect(dryRuns()).toEqual([true]);
});

it("imports what it has shown", async () => {
  const { card, dryRuns } = await openImport({ ...READ, created: ["acts"], changed: ["time"] });
  await userEvent.click(await card.findByRole("button", { name: "Import 2 evaluations" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Import evaluations" })).toBeNull());
  expect(dryRuns()).toEqual([true, false]);
});

it("asks for the instances that are chosen, counts hidden ones, and offers them as files", async () => {
  const { asked, container } = openInstances();
  expect(await screen.findByText("soon", { selector: "mark" })).toBeVisible();
  expect(screen.getByText(/2 instances are not shown/)).toHaveTextContent("leave them out too");
  await userEvent.selectOptions(await screen.findByLabelText("Evaluation"), "e1");
  await userEvent.selectOptions(screen.getByLabelText("Rules"), "code");
  await userEvent.selectOptions(screen.getByLabelText("Data"), "release:2");
  await waitFor(() =>
    expect(
      asked.some(({ path }) => {
        const query = new URLSearchParams(path.split("?")[1]);
        return (
          ["release:2", "code", "e1"].join() ===
          ["data", "source", "evaluation"].map((key) => query.get(key)).join()
        );
      }),
    ).toBe(true),
  );
  const link = screen.getByRole("link", { name: "Instances as JSONL" });
  expect(link.getAttribute("href")).toMatch(
    /instances\/file\/\?.*data=release%3A2.*source=code.*evaluation=e1/,
  );
  await expectAccessible(container);
});

it("makes no file of a seed that is none", async () => {
  openInstances();
  const seed = await screen.findByLabelText("Seed");
  await userEvent.clear(seed);
  expect(seed).toHaveAccessibleDescription(/A seed is a whole number/);
  expect(screen.queryByRole("link", { name: "Instances as JSONL" })).toBeNull();
});

it("restores a revision of the history after a question", async () => {
  const { asked, user } = await openEditor();
  await user.click(screen.getByRole("button", { name: "History" }));
  await user.click(await screen.findByRole("button", { name: "Restore revision 2" }));
  const dialog = within(screen.getByRole("dialog", { name: "Restore revision 2?" }));
  expect(asked.some(({ path }) => path.endsWith("/restore/"))).toBe(false);
  await user.click(dialog.getByRole("button", { name: "Restore it" }));
  await waitFor(() =>
    expect(asked.find(({ path }) => path.endsWith("/restore/"))?.body).toMatchObject({
      ...{ base_revision: 3, revision: 2 },
    }),
  );
});
