import { renderScreen, serve } from "../../test/admin";
import type { RoundsPage } from "./api";
import { CODEBOOK } from "./examples";
import { Component } from "./index";

export const ROUNDS = "/api/projects/p1/rounds/";

export function open(shown: RoundsPage, routes: Record<string, unknown> = {}, project = {}) {
  const asked = serve({
    [`GET ${ROUNDS}`]: shown,
    "GET /api/projects/p1/codebooks/": [CODEBOOK],
    "GET /api/projects/p1/test-set/": { test_set: null, stages: [] },
    "GET /api/projects/p1/prototype/": { batch: null, may_open: false, reasons: [] },
    "GET /api/projects/p1/agreement/": { scope: "all", rows: [], annotators: [], stages: [] },
    ...routes,
  });
  const { container } = renderScreen(Component, project);
  return { asked, container };
}
