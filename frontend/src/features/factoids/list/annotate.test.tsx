import "fake-indexeddb/auto";
import { screen, waitFor, within } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FactoidList } from "../../../api/factoids";
import { expectAccessible } from "../../../test/admin";
import { announced, type ListServer, openList, saveStatus } from "../../../test/factoidListPage";
import { FACTOIDS, factoid, factoidList, listItem } from "../../../test/factoids";

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
});

const rows = (name = "Factoids") => within(screen.getByRole("list", { name })).getAllByRole("button");
const names = () => rows().map((row) => row.querySelector(".factoid-id")?.textContent);
const answers = () => rows().map((row) => row.querySelector(".tag")?.textContent);
const active = () =>
  rows()
    .find((row) => row.getAttribute("aria-current"))
    ?.querySelector("b")?.textContent;
/** A step is on its way to the outbox for a moment after its key. */
const saved = (server?: ListServer, times?: number) =>
  waitFor(() => {
    if (server && times !== undefined) expect(server.sent).toHaveLength(times);
    expect(saveStatus()).toBe("All saved");
  });

describe("marking a given list", () => {
  const given = (said: Partial<FactoidList> = {}) =>
    factoidList({
      kind: "annotation",
      factoids: FACTOIDS.map((each) => ({ ...each, sentences: [] })),
      revision: 0,
      ...said,
    });

  it("by keys: here in a sentence, or not here, until every factoid is answered for every text", async () => {
    const { user, server, container } = await openList(given());
    expect(screen.getByTestId("progress")).toHaveTextContent("0 of 12 answers");
    await user.keyboard("ul");
    expect(active()).toBe("P1");
    await user.keyboard("ux");
    expect(announced()).toBe("P3, undecided: there was fog");
    expect(active()).toBe("P3");
    expect(answers()).toEqual(["here", "not here", "undecided", "undecided"]);
    await user.keyboard("xx");
    expect(announced()).toBe("Every factoid is answered in M01.");
    expect(screen.getByRole("button", { name: "M01: 4 of 4 factoids answered" })).toHaveClass("full");
    await saved(server, 4);
    expect(server.sent.map(({ kind }) => kind)).toEqual(["link", "absent", "absent", "absent"]);
    expect(server.list.factoids.map(({ sentences, absent }) => [sentences, absent])).toEqual([
      [["M01-001"], []],
      [[], ["M01"]],
      [[], ["M01"]],
      [[], ["M01"]],
    ]);
    await expectAccessible(container);
  });

  it("stays on the one undecided factoid that is left", async () => {
    const { user } = await openList(given());
    await user.keyboard("uxxx");
    expect(active()).toBe("P4");
    expect(answers()).toEqual(["not here", "not here", "not here", "undecided"]);
    await user.keyboard("u");
    expect(active()).toBe("P4");
    expect(announced()).toBe("P4, undecided: no description");
    await user.keyboard("xu");
    expect(announced()).toBe("Every factoid is answered in M01.");
    await saved();
  });

  it("filters by what was answered in the text at hand, and answers the rest at once", async () => {
    const { user, server } = await openList(given());
    await user.keyboard("jl");
    const filters = within(screen.getByRole("group", { name: "Show" }));
    await user.click(filters.getByRole("button", { name: "Undecided" }));
    expect(names()).toEqual(["P2", "P3", "P4"]);
    await user.click(filters.getByRole("button", { name: "Here" }));
    expect(names()).toEqual(["P1"]);
    await user.click(screen.getByRole("button", { name: "The other 3 are not here" }));
    await user.click(await screen.findByRole("button", { name: "Not here" }));
    await user.click(filters.getByRole("button", { name: "Not here" }));
    expect(names()).toEqual(["P2", "P3", "P4"]);
    await user.keyboard("{Control>}z{/Control}");
    expect(screen.queryByRole("list", { name: "Factoids" })?.children).toHaveLength(0);
    await saved(server, 3);
    expect(server.sent.map(({ kind, changes }) => [kind, changes.length])).toEqual([
      ["link", 1],
      ["absent", 3],
      ["undo", 3],
    ]);
  });

  it("changes no factoid itself", async () => {
    const { user, server } = await openList(given());
    await user.keyboard("jnsmi{Delete}");
    expect(names()).toEqual(["P1", "P2", "P3", "P4"]);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(server.sent).toEqual([]);
  });

  it("says how many answers are missing before it is done", async () => {
    const { user } = await openList(given());
    await user.click(screen.getByRole("button", { name: "Mark as done" }));
    expect(await screen.findByText("12 answers are still missing.")).toBeVisible();
    expect(within(screen.getByRole("dialog")).getByRole("button", { name: "Mark as done" })).toBeDisabled();
  });
});

describe("the second look", () => {
  const list = () =>
    factoidList({
      kind: "annotation",
      step: "second_look",
      factoids: [
        factoid("P1", ["M01-001"], "a ferry ran aground", ["M02", "M03"]),
        factoid("P2", ["M01-002"], "passengers were saved", ["M02", "M03"]),
      ],
      items: [listItem("i1", "key-P1", "M02", false), listItem("i2", "key-P2", "M01", true)],
    });

  it("confirms or corrects one's own answers by keys; “there” wants a sentence", async () => {
    const { user, server, container } = await openList(list());
    expect(screen.getByRole("heading", { level: 2, name: "Is P1 in M02?" })).toBeVisible();
    expect(screen.getByText("You said that it is not there.")).toBeVisible();
    expect(document.activeElement?.id).toBe("sentence-M02-001");
    await user.keyboard("y");
    expect(screen.getByRole("alert")).toHaveTextContent("Choose the sentence in which it is");
    await user.keyboard("{ArrowDown}{ArrowUp}l");
    expect(screen.getByText("1 sentence linked to P1")).toBeVisible();
    await user.keyboard("y");
    // The next one is at hand, with its sentence.
    expect(screen.getByRole("heading", { level: 2, name: "Is P2 in M01?" })).toBeVisible();
    expect(document.activeElement?.id).toBe("sentence-M01-002");
    expect(screen.getByRole("button", { name: "It is there: my answer stands" })).toBeVisible();
    await user.keyboard("mnot a person{Enter}n");
    await saved(server, 2);
    expect(screen.getByTestId("progress")).toHaveTextContent("2 of 2 items");
    expect(server.sent.map(({ kind, item }) => [kind, item])).toEqual([
      ["decide", { id: "i1", is_there: true, note: "" }],
      ["decide", { id: "i2", is_there: false, note: "not a person" }],
    ]);
    expect(server.list.factoids.map(({ sentences, absent }) => [sentences, absent])).toEqual([
      [["M01-001", "M02-001"], ["M03"]],
      [[], ["M02", "M03", "M01"]],
    ]);
    await expectAccessible(container);
  });

  it("keeps the links of an answer that stands, and undo opens the item again", async () => {
    const { user, server } = await openList(list());
    await user.keyboard(".y");
    await saved(server, 1);
    expect(server.sent[0]).toMatchObject({ kind: "decide", changes: [], item: { id: "i2", is_there: true } });
    await user.keyboard("{Control>}z{/Control}");
    await saved(server, 2);
    expect(server.list.items.map(({ is_there }) => is_there)).toEqual([null, null]);
  });

  it("says what was decided on another device meanwhile", async () => {
    const { user, server } = await openList(list());
    const item = { id: "i2", is_there: false, note: "" };
    server.take({ kind: "decide", changes: [], item });
    server.take({ kind: "decide", changes: [], item: { ...item, is_there: true } });
    server.take({ kind: "undo", changes: [], item });
    server.take({ kind: "decide", changes: [], item: { ...item, is_there: null } });
    await user.keyboard(".y");
    const notice = await screen.findByRole("alert", { name: "Not sent" });
    expect(await within(notice).findByText("Opened P2 in M01 again")).toBeVisible();
    const words = within(notice).getAllByRole("listitem");
    expect(words.map((each) => each.textContent)).toEqual([
      "Opened P2 in M01 again",
      "Undone: P2 in M01",
      "Decided P2 in M01 anew: it is there",
      "Decided P2 in M01: it is not there",
      "Decided P2 in M01: it is there",
    ]);
  });

  it("shows nobody's name and no other answer", async () => {
    await openList(list());
    expect(document.body).not.toHaveTextContent(/Anna|Bruno|annotator/i);
  });

  it("says so where nothing differs", async () => {
    const { container } = await openList({ ...list(), items: [] });
    expect(screen.getByText(/None of your answers differs/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Mark as done" })).toBeEnabled();
    await expectAccessible(container);
  });
});

describe("a consensus", () => {
  it("links what others named where no sentence is chosen, and asks where nobody named one", async () => {
    const item = {
      ...listItem("i1", "key-P3", "M01", null),
      answers: [
        { name: "Anna", is_there: true, sentences: ["M01-003", "M01-002"] },
        { name: "Bruno", is_there: true, sentences: ["M01-003"] },
        { name: "Chloe", is_there: false, sentences: [] },
      ],
    };
    const { user, server } = await openList(
      factoidList({
        kind: "annotation",
        step: "consensus",
        items: [item, listItem("i2", "key-P3", "M03", null)],
      }),
    );
    expect(screen.getByText(/or those named above/)).toBeVisible();
    await user.keyboard("y");
    await saved(server, 1);
    expect(server.sent[0]?.item).toEqual({ id: "i1", is_there: true, note: "" });
    expect(server.list.factoids.find(({ id }) => id === "P3")?.sentences).toEqual([
      "M02-001",
      "M01-002",
      "M01-003",
    ]);
    expect(screen.queryByText(/or those named above/)).toBeNull();
    await user.keyboard("y");
    expect(screen.getByRole("alert")).toHaveTextContent("Choose the sentence in which it is");
    expect(server.sent).toHaveLength(1);
  });

  it("shows all answers so far, and stores a decision with its note", async () => {
    const item = {
      ...listItem("i1", "key-P3", "M01", null),
      answers: [
        { name: "Anna", is_there: true, sentences: ["M01-003"] },
        { name: "Bruno", is_there: false, sentences: [] },
      ],
    };
    const { user, server, container } = await openList(
      factoidList({ kind: "annotation", step: "consensus", items: [item] }),
    );
    expect(screen.getByText("Anna").closest("li")).toHaveTextContent("Anna: there, in M01-003");
    expect(screen.getByText("Bruno").closest("li")).toHaveTextContent("Bruno: not there");
    await user.keyboard("{ArrowDown}{ArrowDown}l");
    await user.type(screen.getByRole("textbox", { name: "Note" }), "drink is why{Enter}");
    await user.keyboard("y");
    await saved(server, 1);
    expect(server.sent[0]?.item).toEqual({ id: "i1", is_there: true, note: "drink is why" });
    expect(server.list.factoids.find(({ id }) => id === "P3")?.sentences).toEqual(["M02-001", "M01-003"]);
    expect(screen.getByText(/^Decided: it is there/)).toHaveTextContent("drink is why");
    await expectAccessible(container);
  });
});
