import "fake-indexeddb/auto";
import { readFileSync } from "node:fs";
import { screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { renderScreen, serve } from "../../test/admin";
import { openList } from "../../test/factoidListPage";
import { PAIRING, textSet } from "../../test/factoidSets";
import { factoidList } from "../../test/factoids";
import { Component as FactoidsPage } from "./index";
import { Component as PairingPage } from "./pairing";
import { Component as ResultsPage } from "./set";

const CSS = readFileSync("src/features/factoids/factoids.css", "utf8");

beforeEach(() => {
  const style = document.head.appendChild(document.createElement("style"));
  style.textContent = CSS;
  return () => style.remove();
});

/** An id of 500 signs without a space is wider than any phone. */
async function expectWrapped() {
  await screen.findByRole("heading", { level: 1 });
  expect(getComputedStyle(screen.getByRole("main")).getPropertyValue("overflow-wrap")).toBe("anywhere");
}

it("wraps long ids on the page of a list", async () => {
  await openList(factoidList());
  await expectWrapped();
});

it("wraps long ids on the page of a pairing", async () => {
  serve({ "GET /api/factoid-pairings/x1/": PAIRING });
  renderScreen(PairingPage, {}, "/x1", "/:pairingId");
  await expectWrapped();
});

it.each([
  ["the text sets", FactoidsPage, "/s1"],
  ["the results of a set", ResultsPage, "/s1"],
])("wraps long names on the page of %s", async (_, page, address) => {
  serve({
    "GET /api/projects/p1/text-sets/": { sets: [textSet()], mine: [] },
    "GET /api/text-sets/s1/pairings/": { pairings: [] },
    "GET /api/text-sets/s1/agreement/": { annotation: [], definition: [] },
    "GET /api/projects/p1/members/": [],
  });
  renderScreen(page, {}, address, "/:setId");
  await expectWrapped();
});
