import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import { page, round, SCORING } from "../rounds/examples";
import { Component } from "./index";

const PATH = "GET /api/projects/p1/rounds/";

describe("export", () => {
  it("links each kind, by pseudonym unless names are asked for", async () => {
    serve({ [PATH]: page({ rounds: [SCORING, round()] }) });
    const { container } = renderScreen(Component, { budget_spent: 150 });
    const link = screen.getByRole("link", { name: "Download JSONL: Aggregated labels" });
    expect(link).toHaveAttribute("href", "/api/projects/p1/export/?kind=aggregated&format=jsonl");
    expect(link).toHaveAttribute("download");
    await userEvent.click(screen.getByLabelText("By user name"));
    expect(screen.getByRole("link", { name: "Download JSONL: Annotations" })).toHaveAttribute(
      "href",
      "/api/projects/p1/export/?kind=annotations&format=jsonl&names=1",
    );
    await userEvent.click(screen.getByLabelText("Every revision"));
    expect(screen.getByRole("link", { name: "Download JSONL: Annotations" })).toHaveAttribute(
      "href",
      "/api/projects/p1/export/?kind=annotations&format=jsonl&names=1&revisions=all",
    );
    expect(screen.getByRole("link", { name: "Download JSONL: Aggregated labels" })).toHaveAttribute(
      "href",
      "/api/projects/p1/export/?kind=aggregated&format=jsonl&names=1",
    );
    expect(await screen.findByText("150 lines at the moment: every item given out.")).toBeVisible();
    expect(screen.getByText("At least 450 lines at the moment: every assignment done.")).toBeVisible();
    // Round 2 has no batch yet, hence no record.
    expect(screen.getByRole("link", { name: "Round 1 (JSON)" })).toHaveAttribute(
      "href",
      "/api/rounds/r1/record/",
    );
    expect(screen.queryByText(/Round 2/)).toBeNull();
    await expectAccessible(container);
  });

  it("says so where nothing is labelled yet", async () => {
    serve({ [PATH]: page() });
    renderScreen(Component);
    expect(await screen.findByText(/Nothing is labelled yet/)).toBeVisible();
  });

  it("keeps its links where the rounds cannot be loaded", async () => {
    serve({ [PATH]: new Answer(500, null) });
    renderScreen(Component, { budget_spent: 150 });
    expect(await screen.findByText(/The rounds could not be loaded/)).toBeVisible();
    expect(screen.getAllByRole("link", { name: /^Download/ })).toHaveLength(2);
  });
});
