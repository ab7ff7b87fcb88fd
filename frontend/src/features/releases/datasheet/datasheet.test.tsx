import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Answer, expectAccessible, renderScreen, serve } from "../../../test/admin";
import { SHEET } from "../../../test/datasheet";
import type { Datasheet, Question } from "./api";
import { withQuestion } from "./api";
import { Drafts } from "./drafts";
import { Component } from "./index";

const GET = "GET /api/projects/p1/datasheet/";
const PUT = (key: string) => `PUT /api/projects/p1/datasheet/${key}/`;

let sheet: Datasheet;

beforeEach(() => {
  sheet = SHEET;
});

function stored(key: string): Question {
  const found = sheet.sections.flatMap(({ questions }) => questions).find((each) => each.key === key);
  if (!found) throw new Error(`no question ${key}`);
  return found;
}

/** Keeps what is saved, as the server does. */
function saving(key: string, by = "Admin") {
  return ({ body }: { body: unknown }) => {
    const { text, base_revision } = body as { text: string; base_revision: number };
    const before = stored(key);
    if (base_revision !== before.revision)
      return new Answer(409, { code: "stale_revision", detail: "It was changed.", current: before });
    const answered = { answered_by: by, answered_at: "2026-11-28T09:00:00Z" };
    sheet = withQuestion(sheet, { ...before, ...answered, answer: text, revision: base_revision + 1 });
    return stored(key);
  };
}

const serving = (...keys: string[]) =>
  serve({ [GET]: () => sheet, ...Object.fromEntries(keys.map((key) => [PUT(key), saving(key)])) });
const field = (key: string) => screen.findByRole("textbox", { name: new RegExp(`What about ${key}`) });

describe("the datasheet", () => {
  it("shows what the data say, what people said, and what is open", async () => {
    serving();
    const { container } = renderScreen(Component);
    expect(await field("funding")).toHaveValue("A grant.");
    expect(await field("funding")).toHaveAccessibleDescription(
      /Say what funding is. Saved by Anna, 27 Nov 2026/,
    );
    expect(screen.getByText("2 questions open").parentElement).toHaveTextContent("2 questions open of 4");
    const nav = screen.getByRole("navigation", { name: "Sections of the datasheet" });
    expect(within(nav).getByRole("link", { name: "Composition 1 open" })).toHaveAttribute(
      "href",
      "#section-composition",
    );
    const table = await within(screen.getByRole("region", { name: "What about count?" })).findByRole("table");
    expect(within(table).getByRole("row", { name: "Items 1,050" })).toBeVisible();
    expect(await field("count")).toHaveAccessibleName(/Anything to add/);
    await expectAccessible(container);
  });

  it("saves an answer by itself, and counts it", async () => {
    const asked = serving("purpose");
    renderScreen(Component);
    await userEvent.type(await field("purpose"), "To learn.");
    expect(await field("purpose")).toHaveAccessibleDescription(/Not saved yet/);
    expect(await screen.findByText("Saved")).toBeVisible();
    expect(asked.at(-1)?.body).toEqual({ text: "To learn.", base_revision: 0 });
    expect(screen.getByText("1 question open")).toBeVisible();
    expect(screen.getByRole("link", { name: "Datasheet (1 open)" })).toBeVisible();
    await userEvent.type(await field("purpose"), " And to count.");
    await userEvent.tab();
    await waitFor(() =>
      expect(asked.at(-1)?.body).toEqual({ text: "To learn. And to count.", base_revision: 1 }),
    );
  });

  it("keeps an answered question in sight while only open ones are shown", async () => {
    serving("purpose");
    renderScreen(Component);
    await userEvent.click(await screen.findByRole("button", { name: "Only open ones" }));
    expect(screen.getAllByRole("textbox")).toHaveLength(2);
    await userEvent.type(await field("purpose"), "To learn.");
    await userEvent.tab();
    expect(await screen.findByText("Saved")).toBeVisible();
    expect(screen.getAllByRole("textbox")).toHaveLength(2);
    await userEvent.click(screen.getByRole("button", { name: "Only open ones" }));
    expect(screen.getAllByRole("textbox")).toHaveLength(1);
    await userEvent.click(screen.getByRole("button", { name: "All" }));
    expect(screen.getAllByRole("textbox")).toHaveLength(4);
  });

  it("goes from open question to open question by key", async () => {
    serving("purpose", "errors");
    renderScreen(Component);
    const user = userEvent.setup();
    await user.click(await field("funding"));
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(await field("errors")).toHaveFocus();
    await user.keyboard("None known.{Control>}{Enter}{/Control}");
    expect(await field("purpose")).toHaveFocus();
    await user.keyboard("To learn.{Control>}{Enter}{/Control}");
    expect(await screen.findByText("Every question that waits for you is answered.")).toBeInTheDocument();
    await waitFor(() => expect(sheet.n_open).toBe(0));
  });

  it("shows another's words and lets one choose", async () => {
    serving("funding");
    const { container } = renderScreen(Component);
    const box = await field("funding");
    sheet = withQuestion(sheet, {
      ...stored("funding"),
      answer: "Two grants.",
      revision: 4,
      answered_by: "Ben",
    });
    await userEvent.type(box, " Ours.");
    await userEvent.tab();
    expect(await screen.findByText("Two grants.")).toBeVisible();
    expect(box).toHaveValue("A grant. Ours.");
    expect(screen.getByText("Ben saved other words")).toBeVisible();
    await expectAccessible(container);
    await userEvent.click(screen.getByRole("button", { name: "Both, theirs first" }));
    await waitFor(() => expect(stored("funding").answer).toBe("Two grants.\n\nA grant. Ours."));
    expect(box).toHaveFocus();
    expect(screen.queryByText("Ben saved other words")).toBeNull();
  });

  it("keeps what was typed while the server is away, warns, and sends it later", async () => {
    let isAway = true;
    const save = saving("purpose");
    const asked = serve({
      [GET]: () => sheet,
      [PUT("purpose")]: (asked: { body: unknown }) => (isAway ? new Answer(503, null) : save(asked)),
    });
    const { unmount } = renderScreen(Component);
    await userEvent.type(await field("purpose"), "To learn.");
    await userEvent.tab();
    expect(await screen.findByText(/Not saved, trying again.*kept in this browser/)).toBeVisible();
    const leaving = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(true);
    const sent = asked.length;
    unmount();
    // It is sent once more at once, and the server is still away.
    await waitFor(() => expect(asked.length).toBeGreaterThan(sent));
    expect(new Drafts("u1", "p1").get("purpose")).toEqual({ text: "To learn.", revision: 0 });
    isAway = false;
    renderScreen(Component);
    expect(await field("purpose")).toHaveValue("To learn.");
    expect(await screen.findByText("Saved")).toBeVisible();
    expect(stored("purpose").answer).toBe("To learn.");
    expect(new Drafts("u1", "p1").get("purpose")).toBeNull();
  });

  it("asks before the page is left with something unsaved, and goes on once it is saved", async () => {
    let isAway = true;
    const save = saving("purpose");
    serve({
      [GET]: () => sheet,
      [PUT("purpose")]: (asked: { body: unknown }) => (isAway ? new Answer(503, null) : save(asked)),
    });
    renderScreen(Component);
    await userEvent.type(await field("purpose"), "To learn.");
    await userEvent.click(screen.getByRole("link", { name: "Card" }));
    const dialog = await screen.findByRole("dialog", { name: "Leave with answers not saved?" });
    expect(dialog).toHaveTextContent("1 answer not yet with the server: kept in this browser");
    await userEvent.click(within(dialog).getByRole("button", { name: "Stay here" }));
    expect(screen.getByRole("link", { name: /^Datasheet/ })).toBeVisible();
    isAway = false;
    await userEvent.click(screen.getByRole("link", { name: "Card" }));
    await waitFor(() => expect(screen.getByRole("link", { name: "Card" })).toHaveAttribute("aria-current"));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(stored("purpose").answer).toBe("To learn.");
  });

  it("says so where the browser has no room for a text", async () => {
    serve({ [GET]: () => sheet, [PUT("purpose")]: new Answer(503, null) });
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    renderScreen(Component);
    await userEvent.type(await field("purpose"), "T");
    await userEvent.tab();
    expect(await screen.findByText(/trying again.*Do not close this page/)).toBeVisible();
    await userEvent.click(screen.getByRole("link", { name: "Card" }));
    expect(await screen.findByRole("dialog")).toHaveTextContent("1 answer would be lost");
  });

  it("says so where it cannot be loaded", async () => {
    serve({ [GET]: new Answer(500, null) });
    renderScreen(Component);
    expect(await screen.findByText(/The datasheet could not be loaded/)).toBeVisible();
  });
});
