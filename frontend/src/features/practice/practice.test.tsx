import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderScreen, serve } from "../../test/admin";
import { Component } from "./index";

const NONE = { "GET /api/projects/p1/practices/": { practices: [] } };

it("offers to make a practice", async () => {
  serve(NONE);
  renderScreen(Component);
  expect(await screen.findByRole("button", { name: "Make a practice" })).toBeVisible();
});

it("offers none where the codebook asks no question, and says why", async () => {
  serve(NONE);
  renderScreen(Component, { has_stages: false });
  expect(await screen.findByText(/has stages, so that nothing comes here/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Make a practice" })).toBeNull();
});
