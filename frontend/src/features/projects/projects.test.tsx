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
    "GET /api/codebook-templates/": [],
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

it("tells of own factoid lists that are not done, and asks no archived project", async () => {
  const given = { ...LABELLED, id: "p4", name: "Ferry reports", has_text_sets: true };
  const archived = { ...given, id: "p5", name: "Old reports", archived_at: "2026-11-01T00:00:00Z" };
  const list = { list: "l1", done_at: null };
  const asked = serve({
    "GET /api/me/": ME,
    "GET /api/codebook-templates/": [],
    "GET /api/projects/": [given, archived, LABELLED],
    "GET /api/projects/p4/text-sets/": {
      sets: [],
      mine: [list, { ...list, list: "l2" }, { list: "l3", done_at: "2026-11-28T10:00:00Z" }],
    },
  });
  renderApp("/");
  const link = await screen.findByRole("link", { name: "2 factoid lists to work on" });
  expect(link).toHaveAttribute("href", "/projects/p4/factoids");
  expect(screen.getAllByRole("list", { name: /^Waiting in/ })).toHaveLength(1);
  expect(asked.map(({ path }) => path).filter((path) => path.includes("text-sets"))).toEqual([
    "/api/projects/p4/text-sets/",
  ]);
  expect(await axeFindings()).toEqual([]);
});

it("says nothing where nothing waits", async () => {
  serve({
    "GET /api/me/": ME,
    "GET /api/codebook-templates/": [],
    "GET /api/projects/": [SPANS],
    "GET /api/projects/p2/waiting/": { to_validate: 0, to_decide: 0, to_agree: 0 },
  });
  renderApp("/");
  await screen.findByRole("heading", { name: "Board news" });
  expect(screen.queryByRole("list", { name: "Waiting in Board news" })).toBeNull();
});
