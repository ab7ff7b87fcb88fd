import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { RoundsPage } from "../api/rounds";
import { Component } from "../features/rounds/index";
import { renderScreen, serve } from "./admin";
import { CODEBOOK } from "./rounds";

export const ROUNDS = "/api/projects/p1/rounds/";

export function open(shown: RoundsPage, routes: Record<string, unknown> = {}, project = {}) {
  const asked = serve({
    [`GET ${ROUNDS}`]: shown,
    [`GET ${ROUNDS}readiness/`]: [],
    "GET /api/projects/p1/codebooks/": [CODEBOOK],
    "GET /api/projects/p1/test-set/": { test_set: null, stages: [] },
    "GET /api/projects/p1/prototype/": { batch: null, may_open: false, reasons: [] },
    "GET /api/projects/p1/chosen-batches/": [],
    "GET /api/projects/p1/agreement/": { scope: "all", rows: [], annotators: [], stages: [] },
    ...routes,
  });
  const { container } = renderScreen(Component, project);
  return { asked, container };
}

/** Presses start, and says yes where the form asks. */
export async function start(name: RegExp | string = "Start round 2") {
  await userEvent.click(await screen.findByRole("button", { name }));
  const dialog = screen.queryByRole("dialog");
  if (dialog) await userEvent.click(within(dialog).getByRole("button", { name: /^Start round/ }));
}
