import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import { page, round, SCORING } from "../../test/rounds";
import { Component } from "./index";

const PATH = "GET /api/projects/p1/rounds/";
const CODEBOOKS = "GET /api/projects/p1/codebooks/";

function codebook(definition: object, state = "published") {
  return {
    id: "c1",
    version: 1,
    state,
    definition,
    compatible: null,
    changes: null,
    created_at: "",
    published_at: "",
  };
}

describe("export", () => {
  it("links each kind, by pseudonym unless names are asked for", async () => {
    serve({ [PATH]: page({ rounds: [SCORING, round()] }), [CODEBOOKS]: [codebook({ stages: [] })] });
    const { container } = renderScreen(Component, { budget_spent: 150 });
    const link = screen.getByRole("link", { name: "Download JSONL: Aggregated labels" });
    expect(link).toHaveAttribute("href", "/api/projects/p1/export/?kind=aggregated");
    expect(link).toHaveAttribute("download");
    expect(screen.getByRole("link", { name: "Download Excel: Aggregated labels" })).toHaveAttribute(
      "href",
      "/api/projects/p1/export/?kind=aggregated&format=xlsx",
    );
    await userEvent.click(screen.getByLabelText("To be opened in Excel"));
    const table = (words: string) => screen.getByRole("link", { name: `Download ${words}: Annotations` });
    expect(table("CSV")).toHaveAttribute(
      "href",
      "/api/projects/p1/export/?kind=annotations&format=csv&bom=1",
    );
    expect(table("Excel")).toHaveAttribute("href", "/api/projects/p1/export/?kind=annotations&format=xlsx");
    await userEvent.click(screen.getByLabelText("By user name"));
    expect(screen.getByRole("link", { name: "Download JSONL: Annotations" })).toHaveAttribute(
      "href",
      "/api/projects/p1/export/?kind=annotations&names=1",
    );
    await userEvent.click(screen.getByLabelText("Every revision"));
    expect(screen.getByRole("link", { name: "Download JSONL: Annotations" })).toHaveAttribute(
      "href",
      "/api/projects/p1/export/?kind=annotations&names=1&revisions=all",
    );
    expect(screen.getByRole("link", { name: "Download JSONL: Aggregated labels" })).toHaveAttribute(
      "href",
      "/api/projects/p1/export/?kind=aggregated&names=1",
    );
    expect(await screen.findByText("150 lines at the moment: every item given out.")).toBeVisible();
    expect(screen.getByText("At least 450 lines at the moment: every assignment done.")).toBeVisible();
    // Round 2 has no batch yet, hence no record.
    expect(screen.getByRole("link", { name: "Round 1 (JSON)" })).toHaveAttribute(
      "href",
      "/api/rounds/r1/record/",
    );
    expect(screen.queryByText(/Round 2/)).toBeNull();
    // The codebook has no span layer.
    expect(screen.getAllByRole("link", { name: /^Download/ })).toHaveLength(6);
    await expectAccessible(container);
  });

  it("says so where nothing is labelled yet", async () => {
    serve({ [PATH]: page(), [CODEBOOKS]: [] });
    renderScreen(Component);
    expect(await screen.findByText(/Nothing is labelled yet/)).toBeVisible();
  });

  it("keeps its links where the rounds cannot be loaded", async () => {
    serve({ [PATH]: new Answer(500, null), [CODEBOOKS]: [] });
    renderScreen(Component, { budget_spent: 150 });
    expect(await screen.findByText(/The rounds could not be loaded/)).toBeVisible();
    expect(screen.getAllByRole("link", { name: /^Download/ })).toHaveLength(6);
  });

  it("offers the files about spans where a published codebook has a layer", async () => {
    serve({
      [PATH]: page(),
      [CODEBOOKS]: [
        codebook({ span_layer: { target: "std", categories: [] } }),
        codebook({ stages: [] }, "draft"),
      ],
    });
    const { container } = renderScreen(Component, { budget_spent: 3 });
    const link = (title: string) => screen.getByRole("link", { name: new RegExp(`^Download .*: ${title}$`) });
    expect(await screen.findByRole("link", { name: "Download CoNLL: CoNLL" })).toHaveAttribute(
      "href",
      "/api/projects/p1/export/?kind=conll&of=all",
    );
    expect(screen.getByText(/cannot be imported again like this: choose the validated ones/)).toBeVisible();
    await userEvent.click(screen.getByLabelText("The annotators’"));
    expect(screen.getByText(/cannot be imported again like this/)).toBeVisible();
    await userEvent.click(screen.getByLabelText("The validated ones"));
    expect(screen.queryByText(/cannot be imported again/)).toBeNull();
    expect(screen.getByText(/It can be imported again, with the spans as marks/)).toBeVisible();
    await userEvent.click(screen.getByLabelText("In angle brackets"));
    await userEvent.click(screen.getByLabelText("By user name"));
    const seed = screen.getByLabelText("Seed of the split");
    await userEvent.clear(seed);
    expect(screen.getByText("Write a whole number.")).toBeVisible();
    await userEvent.type(seed, "7");
    const asked = "names=1&of=validated";
    expect(link("Text and spans")).toHaveAttribute("href", `/api/projects/p1/export/?kind=spans&${asked}`);
    expect(link("Text form")).toHaveAttribute(
      "href",
      `/api/projects/p1/export/?kind=text&${asked}&style=angle`,
    );
    expect(link("Targets")).toHaveAttribute(
      "href",
      `/api/projects/p1/export/?kind=targets&${asked}&style=angle&random_state=7`,
    );
    expect(link("Web Annotation")).toBeVisible();
    expect(screen.getByRole("link", { name: "What the data set comes to" })).toHaveAttribute(
      "href",
      "/projects/p1/dataset",
    );
    await expectAccessible(container);
  });

  it("offers no targets where the layer names no target category", async () => {
    serve({ [PATH]: page(), [CODEBOOKS]: [codebook({ span_layer: { target: null, categories: [] } })] });
    renderScreen(Component);
    expect(await screen.findByRole("link", { name: "Download JSONL: Text form" })).toBeVisible();
    expect(screen.queryByRole("link", { name: "Download JSONL: Targets" })).toBeNull();
    expect(screen.queryByLabelText("Seed of the split")).toBeNull();
  });
});
