import "fake-indexeddb/auto";
import { screen, waitFor } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Assignment } from "../../api/types";
import { FakeServer } from "../../test/fakeServer";
import { assignment } from "../../test/fixtures";
import { line, openPage } from "../../test/labelPage";
import { axeFindings } from "../../test/renderApp";

let server: FakeServer;

const SAID = { opinion: { label: "yes", confidence: 0.9, explanation: "It says so." } };

function suggestions(over: Partial<NonNullable<Assignment["suggestions"]>>): Assignment["suggestions"] {
  return { id: "s1", mode: "before", system: "small", stages: SAID, ...over };
}

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  server = new FakeServer();
  server.install();
});

describe("suggestions", () => {
  it("stand at their question, and the answer says that they were there", async () => {
    server.assignments = [assignment("a1", { suggestions: suggestions({}) }), assignment("a2")];
    const { user } = await openPage();
    expect(screen.getByText("The model small says “Yes”, 90 % sure: It says so.")).toBeVisible();
    expect(await axeFindings()).toEqual([]);
    await user.keyboard("w");
    expect(line(/Opinion.*No.*The model small says “Yes”/)).toBeVisible();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(server.posted).toHaveLength(1));
    expect(server.posted[0]?.body.suggestions).toBe("s1");
  });

  it("are not named by an answer that is given before they are shown", async () => {
    server.assignments = [
      assignment("a1", { suggestions: suggestions({ mode: "after", stages: null }) }),
      assignment("a2"),
    ];
    const { user } = await openPage();
    expect(screen.queryByText(/The model small/)).toBeNull();
    await user.keyboard("w{Enter}");
    await waitFor(() => expect(server.posted).toHaveLength(1));
    expect(server.posted[0]?.body).not.toHaveProperty("suggestions");
  });

  it("lead from the item at hand to an own answer that differs", async () => {
    const answered = {
      revision: 1,
      answers: { opinion: "no" },
      spans: [],
      comment: "",
      context_opened: "sentence",
      skip_reason: null,
    } as const;
    server.assignments = [
      assignment("a1", { current: { ...answered, spans: [] }, suggestions: suggestions({ mode: "after" }) }),
      assignment("a2"),
    ];
    server.toCompare = [{ id: "a1", position: 1 }];
    const { user } = await openPage();
    expect(screen.getByText(/A model gives another label than you to 1 item/)).toBeVisible();
    server.toCompare = [];
    await user.click(screen.getByRole("button", { name: "Compare item 1" }));
    expect(await screen.findByText(/The model small says “Yes”/)).toBeVisible();
    expect(screen.queryByText(/A model gives/)).toBeNull();
  });
});
