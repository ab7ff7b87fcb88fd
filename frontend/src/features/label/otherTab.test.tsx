import "fake-indexeddb/auto";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnnotationBody, Assignment } from "../../api/types";
import { openDatabase } from "../../browser/database";
import { OutboxStore } from "../../outbox/store";
import { FakeServer } from "../../test/fakeServer";
import { otherTab } from "../../test/otherTab";
import { renderApp } from "../../test/renderApp";
import { FREE, spanAssignment } from "../../test/spanFixtures";
// The screen is loaded before the first test begins, which would wait for it else.
import "./index";

const KEPT = /You submitted this item in another tab. Your work in this tab is kept/;
let server: FakeServer;
let other: Awaited<ReturnType<typeof otherTab>>;

beforeEach(async () => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  server = new FakeServer();
  server.install();
  other = await otherTab();
});

afterEach(() => other.close());

async function openPage(path = "/projects/p1/label", shown = "sentence") {
  const page = renderApp(path);
  await screen.findByTestId(shown);
  return page;
}

const sentence = () => screen.getByTestId("sentence").textContent;
const theItem = () => structuredClone(server.assignments[0]) as Assignment;
const submitThere = (said: Partial<AnnotationBody>) => other.submit(theItem(), said);

describe("an item of stages that another tab submits", () => {
  it("stays with the work in hand, which is submitted as a change", async () => {
    const { user } = await openPage();
    await user.keyboard("w");
    await submitThere({ answers: { opinion: "ambiguous" } });
    expect(await screen.findByText(KEPT)).toBeVisible();
    expect(sentence()).toContain("a1");
    await waitFor(() => expect(server.posted).toHaveLength(1));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(server.posted).toHaveLength(2));
    expect(server.posted[1]?.id).toBe("a1");
    expect(server.posted[1]?.body.base_revision).toBe(1);
    expect(server.posted[1]?.body.answers).toEqual({ opinion: "no" });
    await waitFor(() => expect(sentence()).toContain("a2"));
    await waitFor(() => expect(screen.getByTestId("save-status")).toHaveTextContent("All saved"));
  });

  it("goes on once the work in hand is dropped, and leaves nothing of it", async () => {
    const { user } = await openPage();
    await user.keyboard("w");
    await submitThere({ answers: { opinion: "ambiguous" } });
    await user.click(await screen.findByRole("button", { name: "Drop my work here" }));
    await waitFor(() => expect(sentence()).toContain("a2"));
    expect(screen.queryByText(/did not submit it/)).toBeNull();
    expect(server.posted).toHaveLength(1);
  });

  it("goes on by itself where nothing is in hand", async () => {
    await openPage();
    await submitThere({ answers: { opinion: "ambiguous" } });
    await waitFor(() => expect(sentence()).toContain("a2"));
    expect(screen.queryByText(KEPT)).toBeNull();
  });

  it("says so too where the other tab skipped it", async () => {
    const { user } = await openPage();
    await user.keyboard("w");
    await submitThere({ skip_reason: "not sure" });
    expect(await screen.findByText(/You skipped this item \(not sure\) in another tab/)).toBeVisible();
  });

  it("finds the work again after a reload", async () => {
    const page = await openPage();
    await page.user.keyboard("w");
    await submitThere({ answers: { opinion: "ambiguous" } });
    await screen.findByText(KEPT);
    await waitFor(() => expect(server.posted).toHaveLength(1));
    fireEvent(document, new Event("visibilitychange"));
    page.unmount();
    const { user } = await openPage();
    await user.click(await screen.findByRole("button", { name: "Go back to it" }));
    await waitFor(() => expect(sentence()).toContain("a1"));
    expect(screen.getByText(/Your change is not submitted yet/)).toBeVisible();
  });
});

describe("an item that is worked on in another tab too", () => {
  const BEHIND = /You have changed this item in another tab since/;
  const kept = async () => {
    const database = await openDatabase();
    const drafts = await new OutboxStore(database, "anna").drafts();
    database.close();
    return drafts.get("a1")?.given;
  };

  it("says so, and is not kept over the other's when it is left", async () => {
    const { user, unmount } = await openPage();
    await user.keyboard("w");
    await waitFor(async () => expect(await kept()).toEqual({ opinion: "no" }));
    await other.change("a1", { given: { opinion: "yes" } });
    expect(await screen.findByText(BEHIND)).toBeVisible();
    fireEvent(document, new Event("visibilitychange"));
    unmount();
    expect(await kept()).toEqual({ opinion: "yes" });
  });

  it("goes on with the other's on demand", async () => {
    const { user } = await openPage();
    await user.keyboard("w");
    await waitFor(async () => expect(await kept()).toEqual({ opinion: "no" }));
    await other.change("a1", { given: { opinion: "yes" } });
    await user.click(await screen.findByRole("button", { name: "Take what is kept" }));
    await waitFor(() => expect(screen.queryByText(BEHIND)).toBeNull());
    await user.keyboard("s");
    // The next question is open: "yes" was taken over.
    await waitFor(async () => expect(await kept()).toEqual({ opinion: "yes", mp: "no" }));
    await waitFor(() => expect(other.isBehind("a1")).toBe(true));
  });

  it("keeps what is changed here after that", async () => {
    const { user } = await openPage();
    await other.change("a1", { given: { opinion: "yes" } });
    await screen.findByText(BEHIND);
    await user.keyboard("w");
    await waitFor(() => expect(screen.queryByText(BEHIND)).toBeNull());
    expect(await kept()).toEqual({ opinion: "no" });
    await waitFor(() => expect(other.isBehind("a1")).toBe(true));
  });

  it("says nothing of a tab that was only looked at", async () => {
    const { unmount } = await openPage();
    fireEvent(document, new Event("visibilitychange"));
    unmount();
    await waitFor(async () => expect(await kept()).toEqual({}));
    expect(other.isBehind("a1")).toBe(false);
  });
});

describe("an own earlier answer that another tab changes", () => {
  beforeEach(() => {
    const stored = { revision: 1, answers: { opinion: "no" }, spans: [], comment: "", skip_reason: null };
    server.assignments[0] = { ...theItem(), current: { ...stored, context_opened: "sentence" } };
  });

  it("keeps the change in hand as a change of that one", async () => {
    const { user } = await openPage("/projects/p1/label/a1");
    await user.keyboard("mthis tab{Escape}");
    await submitThere({ base_revision: 1, answers: { opinion: "no" }, comment: "the other" });
    expect(await screen.findByText(KEPT)).toBeVisible();
    await waitFor(() => expect(server.posted).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: /Submit change/ }));
    await waitFor(() => expect(server.posted).toHaveLength(2));
    expect(server.posted[1]?.body).toMatchObject({ base_revision: 2, comment: "this tab" });
  });

  it("shows the newer one where nothing is in hand", async () => {
    await openPage("/projects/p1/label/a1");
    await submitThere({ base_revision: 1, answers: { opinion: "no" }, comment: "the other" });
    expect(await screen.findByDisplayValue("the other")).toBeVisible();
    expect(screen.queryByText(KEPT)).toBeNull();
  });
});

it("keeps the marks of a text that another tab submits", async () => {
  server.assignments = [spanAssignment("a1", "They agreed.", FREE), spanAssignment("a2", "Other.", FREE)];
  const { user } = await openPage(undefined, "span-text");
  await user.keyboard("{Shift>}{Control>}{ArrowRight}{/Control}{/Shift}1");
  const theirs = { start: 5, end: 11, quote: "agreed", category: "b", comment: null, source: null };
  await submitThere({ spans: [theirs] });
  expect(await screen.findByText(KEPT)).toBeVisible();
  const marks = within(screen.getByRole("list", { name: "Spans" })).getAllByRole("listitem");
  expect(marks.map((mark) => mark.textContent)).toEqual([expect.stringContaining("They")]);
  await waitFor(() => expect(server.posted).toHaveLength(1));
  await user.keyboard("{Enter}");
  await waitFor(() => expect(server.posted).toHaveLength(2));
  expect(server.posted[1]?.body).toMatchObject({
    base_revision: 1,
    spans: [{ category: "a", quote: "They" }],
  });
  await waitFor(() => expect(screen.getByTestId("span-text").textContent).toBe("Other."));
});
