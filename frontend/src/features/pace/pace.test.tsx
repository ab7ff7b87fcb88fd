import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { expectAccessible, renderScreen, serve } from "../../test/admin";
import { Component } from "./index";

describe("a person's own pace", () => {
  it("stands by day and batch", async () => {
    serve({
      "GET /api/projects/p1/pace/": {
        done: 3,
        active_ms: 60_000,
        batches: [{ id: "b1", kind: "round", number: 1, done: 3, active_ms: 60_000 }],
        days: [
          { day: "2025-07-02", done: 0, active_ms: 6_000 },
          { day: "2025-07-01", done: 3, active_ms: 54_000 },
        ],
      },
    });
    const { container } = renderScreen(Component);
    expect(await screen.findByRole("row", { name: /Tuesday/ })).toHaveTextContent(
      "Tuesday, 1 July 2025354 s18 s",
    );
    expect(screen.getByRole("row", { name: /Wednesday/ })).toHaveTextContent("06 s–");
    expect(screen.getByRole("row", { name: /Round 1/ })).toBeVisible();
    await expectAccessible(container);
  });

  it("says that nothing is done yet", async () => {
    serve({ "GET /api/projects/p1/pace/": { done: 0, active_ms: 0, batches: [], days: [] } });
    renderScreen(Component);
    expect(await screen.findByText(/Nothing yet/)).toBeVisible();
  });
});
