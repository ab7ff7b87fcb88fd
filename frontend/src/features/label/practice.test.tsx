import "fake-indexeddb/auto";
import { screen, waitFor } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, expect, it, vi } from "vitest";
import { FakeServer } from "../../test/fakeServer";
import { assignment } from "../../test/fixtures";
import { openPage, sentence } from "../../test/labelPage";
import { axeFindings } from "../../test/renderApp";

let server: FakeServer;

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  server = new FakeServer();
  server.install();
});

it("shows the key once the server has the answer, and goes on from there", async () => {
  const batch = { number: 1, total: 2, open: true, is_practice: true };
  server.assignments = [assignment("a1", { batch }), assignment("a2", { batch })];
  const { user } = await openPage();
  server.isDown = true;
  await user.keyboard("w{Enter}");
  expect(await screen.findByText("Loading the key, once the server has your answer")).toBeVisible();
  const [first] = server.assignments;
  if (!first) throw new Error("There is no item.");
  first.key = {
    answers: { opinion: "yes" },
    explanation: "It names a rate.",
    explanations: { opinion: "It says should." },
    differs: ["opinion"],
  };
  first.final = "This is practice, and you have seen the key.";
  server.isDown = false;
  window.dispatchEvent(new Event("online"));
  expect(
    await screen.findByRole("heading", { name: "Not right: this is the key" }, { timeout: 9_000 }),
  ).toBeVisible();
  expect(screen.getByText("It names a rate.")).toBeVisible();
  expect(screen.getByText("It says should.")).toBeVisible();
  expect(screen.getByText("yours is another")).toBeVisible();
  expect(await axeFindings()).toEqual([]);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(sentence()).toContain("a2"));
}, 20_000);
