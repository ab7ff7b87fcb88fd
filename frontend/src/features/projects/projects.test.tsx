// @vitest-environment jsdom
import "fake-indexeddb/auto";
import { screen, within } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, expect, it, vi } from "vitest";
import type { Project } from "../../api/types";
import { ME, PROJECT, roleOf, serve } from "../../test/admin";
import { axeFindings, renderApp } from "../../test/renderApp";

const SPANS: Project = {
  ...PROJECT,
  id: "p2",
  name: "Board news",
  ...roleOf("adjudicator"),
  has_spans: true,
};
const LABELLED: Project = { ...PROJECT, id: "p3", name: "Labelled only", ...roleOf("annotator") };

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
});

it("counts what waits for who settles, and leads there", async () => {
  const asked = serve({
    "GET /api/me/": ME,
    "GET /api/projects/": [PROJECT, SPANS, LABELLED],
    "GET /api/projects/p1/waiting/": { to_validate: 0, to_decide: 4, to_agree: 1 },
    "GET /api/projects/p2/waiting/": { to_validate: 12, to_decide: 0, to_agree: 0 },
  });
  renderApp("/");
  const links = (project: string) =>
    within(screen.getByRole("list", { name: `Waiting in ${project}` }))
      .getAllByRole("link")
      .map((link) => [link.textContent, link.getAttribute("href")]);
  await screen.findByText("12 items to validate");
  expect(links("Board news")).toEqual([["12 items to validate", "/projects/p2/validation"]]);
  await screen.findByText("4 items without a majority");
  expect(links("Committee stance")).toEqual([
    ["4 items without a majority", "/projects/p1/adjudication"],
    ["1 item to agree on after a second look", "/projects/p1/adjudication?phase=2"],
  ]);
  expect(asked.filter(({ path }) => path.includes("/p3/"))).toEqual([]);
  expect(await axeFindings()).toEqual([]);
});

it("says nothing where nothing waits", async () => {
  serve({
    "GET /api/me/": ME,
    "GET /api/projects/": [SPANS],
    "GET /api/projects/p2/waiting/": { to_validate: 0, to_decide: 0, to_agree: 0 },
  });
  renderApp("/");
  await screen.findByRole("heading", { name: "Board news" });
  expect(screen.queryByRole("list", { name: "Waiting in Board news" })).toBeNull();
});
