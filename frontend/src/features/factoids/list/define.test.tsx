import "fake-indexeddb/auto";
import { screen, waitFor, within } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Answer, expectAccessible } from "../../../test/admin";
import { announced, type ListServer, openList, saveStatus, showList } from "../../../test/factoidListPage";
import { FACTOIDS, factoid, factoidList } from "../../../test/factoids";

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
});

const rows = () => within(screen.getByRole("list", { name: "Factoids" })).getAllByRole("button");
const names = () => rows().map((row) => row.querySelector(".factoid-id")?.textContent);
const row = (id: string) => rows()[names().indexOf(id)] as HTMLElement;
const current = () => document.activeElement?.id;
const description = () => screen.getByRole("textbox", { name: "Description" });
/** A step is on its way to the outbox for a moment after its key. */
const saved = (server?: ListServer, times?: number) =>
  waitFor(() => {
    if (server && times !== undefined) expect(server.sent).toHaveLength(times);
    expect(saveStatus()).toBe("All saved");
  });

describe("defining factoids by keys", () => {
  it("makes one from the sentence at hand, describes it, and links it elsewhere", async () => {
    const { user, server, container } = await openList(factoidList({ factoids: [], revision: 0 }));
    await waitFor(() => expect(current()).toBe("sentence-M01-001"));
    await user.keyboard("{ArrowDown}n");
    expect(description()).toHaveFocus();
    await user.keyboard("passengers were saved{Enter}");
    expect(current()).toBe("sentence-M01-002");
    // Past the end of a text comes the next one.
    await user.keyboard("{ArrowDown}{ArrowDown}l");
    expect(current()).toBe("sentence-M02-001");
    expect(announced()).toBe("Linked M02-001 to F1");
    expect(row("F1")).toHaveTextContent("passengers were savedin 2 of 3");
    await saved(server, 3);
    expect(server.sent.map(({ kind, base_revision }) => [kind, base_revision])).toEqual([
      ["new", 0],
      ["describe", 1],
      ["link", 2],
    ]);
    expect(server.list.factoids).toEqual([
      { ...factoid("F1", ["M01-002", "M02-001"], "passengers were saved"), key: expect.any(String) },
    ]);
    expect(screen.getByRole("button", { name: "M01: 1 of 3 sentences linked" })).toBeVisible();
    await expectAccessible(container);
  });

  it("begins the description with the words that are selected", async () => {
    const { user, server } = await openList(factoidList());
    const sentence = screen.getByText("The captain had been drinking.");
    const node = sentence.firstChild as Text;
    document.getSelection()?.setBaseAndExtent(node, 4, node, 29);
    await user.keyboard("n");
    expect(description()).toHaveValue("captain had been drinking");
    expect(row("P5")).toHaveAttribute("aria-current", "true");
    expect(document.getElementById("sentence-M01-003")).toHaveAttribute("aria-current", "true");
    await saved(server, 1);
  });

  it("names what is indistinguishable, and what stands everywhere or nowhere", async () => {
    const more = [factoid("P5", ["M01-003"]), factoid("P6", ["M01-001", "M02-002", "M03-001"])];
    const { user } = await openList(factoidList({ factoids: [...FACTOIDS, ...more] }));
    expect(row("P2")).toHaveTextContent("same texts as P5");
    expect(row("P6")).toHaveTextContent("in all texts");
    expect(row("P4")).toHaveTextContent("in no text");
    await user.click(screen.getByRole("button", { name: "Same texts 2" }));
    expect(names()).toEqual(["P2", "P5"]);
    await user.click(screen.getByRole("button", { name: "In this text" }));
    expect(names()).toEqual(["P1", "P2", "P5", "P6"]);
    await user.keyboard("{ArrowRight}");
    expect(names()).toEqual(["P1", "P3", "P6"]);
  });

  it("finds words in the list and in the texts", async () => {
    const { user } = await openList(factoidList());
    await user.keyboard("ffog");
    expect(names()).toEqual(["P3"]);
    await user.keyboard("{Enter}");
    expect(row("P3")).toHaveAttribute("aria-current", "true");
    expect(current()).toBe("sentence-M01-001");
    await user.keyboard("f{Escape}");
    expect(names()).toHaveLength(4);
    await user.keyboard("/OIL");
    expect(screen.getByRole("button", { name: "M03-001 Oil leaked into the bay." })).toBeVisible();
    await user.keyboard("{Enter}");
    expect(current()).toBe("sentence-M03-001");
  });

  it("shows in the box what an undo or a merge made of the description, and sends nothing for looking at it", async () => {
    const { user, server } = await openList(factoidList());
    await user.keyboard("jd{Control>}a{/Control}abc{Enter}");
    expect(description()).toHaveValue("abc");
    await user.keyboard("{Control>}z{/Control}");
    expect(description()).toHaveValue("a ferry ran aground");
    await user.keyboard("d{Enter}d{Control>}a{/Control}abc {Enter}m");
    const merge = within(await screen.findByRole("dialog", { name: "Merge another factoid into P1" }));
    await user.click(merge.getAllByRole("radio")[0] as Element);
    await user.clear(merge.getByRole("textbox", { name: "Description of P1" }));
    await user.type(merge.getByRole("textbox", { name: "Description of P1" }), "abc and def");
    await user.click(merge.getByRole("button", { name: "Merge" }));
    expect(description()).toHaveValue("abc and def");
    await user.keyboard("d{Enter}");
    await saved(server, 4);
    expect(server.sent.map(({ kind }) => kind)).toEqual(["describe", "undo", "describe", "merge"]);
  });

  it("splits and merges, each one step that one undo takes back", async () => {
    const { user, server } = await openList(factoidList());
    await user.keyboard("js");
    const split = within(await screen.findByRole("dialog", { name: "Split P1 into two" }));
    await user.clear(split.getByRole("textbox", { name: "Description of P5, which is new" }));
    await user.type(split.getByRole("textbox", { name: "Description of P5, which is new" }), "a reef");
    await user.click(split.getByRole("group", { name: /M02-001/ }).querySelectorAll("input")[1] as Element);
    await user.click(split.getByRole("button", { name: "Split: 1 and 1 sentence" }));
    expect(names()).toEqual(["P1", "P2", "P3", "P4", "P5"]);
    expect(row("P5")).toHaveTextContent("a reefin 1 of 3same texts as P3");
    await user.keyboard("m");
    const merge = within(await screen.findByRole("dialog", { name: "Merge another factoid into P5" }));
    // The one in the same texts comes first.
    expect(merge.getAllByRole("radio")[0]?.closest("label")).toHaveTextContent("P3 there was fog same texts");
    await user.type(merge.getByRole("textbox", { name: /The other one/ }), "fog");
    await user.click(merge.getByRole("button", { name: "Merge" }));
    expect(names()).toEqual(["P1", "P2", "P4", "P5"]);
    await user.keyboard("{Control>}z{/Control}");
    expect(names()).toEqual(["P1", "P2", "P3", "P4", "P5"]);
    await user.keyboard("{Control>}z{/Control}");
    expect(names()).toEqual(["P1", "P2", "P3", "P4"]);
    await user.keyboard("{Control>}{Shift>}z{/Shift}{/Control}");
    expect(names()).toEqual(["P1", "P2", "P3", "P4", "P5"]);
    await saved(server, 5);
    expect(server.sent.map(({ kind, changes }) => [kind, changes.length])).toEqual([
      ["split", 2],
      ["merge", 2],
      ["undo", 2],
      ["undo", 2],
      ["redo", 2],
    ]);
  });

  it("renumbers one or all, and deletes", async () => {
    const { user, server } = await openList(factoidList());
    await user.keyboard("ji{Backspace}{Backspace}P2");
    expect(screen.getByRole("alert")).toHaveTextContent("P2 is another factoid’s id");
    await user.keyboard("0{Enter}");
    expect(names()).toEqual(["P2", "P3", "P4", "P20"]);
    await user.keyboard("{Delete}");
    expect(names()).toEqual(["P2", "P3", "P4"]);
    await user.click(screen.getByRole("button", { name: "Number anew" }));
    await user.click(await screen.findByRole("button", { name: "Number anew" }));
    expect(names()).toEqual(["P1", "P2", "P3"]);
    await saved(server, 3);
    expect(server.sent.map(({ kind }) => kind)).toEqual(["renumber", "delete", "renumber"]);
  });

  it("shows a factoid's sentences side by side", async () => {
    const { user } = await openList(factoidList());
    await user.keyboard("jg");
    const sentences = screen.getByRole("list", { name: "Sentences of P1" });
    expect(
      within(sentences)
        .getAllByRole("button")
        .map((each) => each.textContent),
    ).toEqual(["M01-001 The ferry Marta ran aground.", "M02-001 A ferry struck a reef in fog."]);
  });
});

describe("nothing is lost", () => {
  it("over a dead network and a reload: what waits is shown and sent", async () => {
    const { user, server, unmount } = await openList(factoidList());
    server.failures = Array.from({ length: 9 }, () => () => {
      throw new TypeError("Failed to fetch");
    });
    await user.keyboard("jl{ArrowDown}l");
    await waitFor(() => expect(saveStatus()).toBe("2 saved on this device, sent when the server answers"));
    unmount();
    server.failures = [];
    showList();
    expect(await screen.findByRole("list", { name: "Factoids" })).toBeVisible();
    await saved(server, 2);
    expect(server.sent.map(({ kind, base_revision }) => [kind, base_revision])).toEqual([
      ["unlink", 4],
      ["link", 5],
    ]);
    expect(server.list.factoids[0]?.sentences).toEqual(["M02-001", "M01-002"]);
    expect(row("P1")).toHaveTextContent("in 2 of 3");
  });

  it("of a description that was typed and not kept", async () => {
    const { user, unmount } = await openList(factoidList());
    await user.keyboard("jd{Control>}a{/Control}the ferry is st");
    unmount();
    const { user: again } = showList();
    await screen.findByRole("list", { name: "Factoids" });
    await again.keyboard("j");
    expect(description()).toHaveValue("the ferry is st");
    expect(screen.getByText(/Restored the description of P1/)).toBeVisible();
  });

  it("where the list was changed elsewhere: both are shown, and my steps go on top", async () => {
    const { user, server } = await openList(factoidList());
    server.take({
      kind: "describe",
      changes: [{ key: "key-P1", after: { ...factoid("P1", ["M01-001", "M02-001"], "theirs") } }],
      item: null,
    });
    await user.keyboard("jl{ArrowDown}l");
    const notice = await screen.findByRole("alert", { name: "Not sent" });
    expect(notice).toHaveTextContent("2 steps not sent. This list was changed in another tab");
    expect(await within(notice).findByText("Described P1: theirs")).toBeVisible();
    expect(within(notice).getByText("Unlinked M01-001 from P1")).toBeVisible();
    expect(within(notice).getByText("Linked M01-002 to P1")).toBeVisible();
    expect(saveStatus()).toBe("Not sent: 1 needs your decision");
    await user.click(within(notice).getByRole("button", { name: "Put my steps on top" }));
    await saved(server, 2);
    expect(server.list.factoids[0]).toMatchObject({
      description: "theirs",
      sentences: ["M02-001", "M01-002"],
    });
    expect(row("P1")).toHaveTextContent("theirsin 2 of 3");
    expect(screen.queryByRole("alert", { name: "Not sent" })).toBeNull();
  });

  it("or the server's list is taken, after a question", async () => {
    const { user, server } = await openList(factoidList());
    server.take({ kind: "delete", changes: [{ key: "key-P2", after: null }], item: null });
    await user.keyboard("jl");
    await user.click(await screen.findByRole("button", { name: "Take the server’s list" }));
    await user.click(await screen.findByRole("button", { name: "Give them up" }));
    await saved();
    await waitFor(() => expect(names()).toEqual(["P1", "P3", "P4"]));
    expect(row("P1")).toHaveTextContent("in 2 of 3");
    expect(server.sent).toEqual([]);
  });

  it("where the phase was closed meanwhile: the steps wait, and can be sent again", async () => {
    const { user, server } = await openList(factoidList());
    server.failures = [() => new Answer(409, { code: "closed", detail: "This phase is closed." })];
    await user.keyboard("jl");
    const notice = await screen.findByRole("alert", { name: "Not sent" });
    expect(notice).toHaveTextContent("1 step not sent. This phase is closed.");
    await user.click(within(notice).getByRole("button", { name: "Send again" }));
    await saved(server, 1);
    expect(server.sent.map(({ kind }) => kind)).toEqual(["unlink"]);
  });
});

describe("a list that may not be changed", () => {
  it.each([
    [{ state: "closed" as const, may_edit: false }, "This phase is closed."],
    [{ state: "published" as const, version: 2, may_edit: false }, "This list is published as version 2."],
    [{ may_edit: false }, "You may read this list, and not change it."],
  ])("says why, and no key changes it: %j", async (said, words) => {
    const { user, server, container } = await openList(factoidList(said));
    expect(screen.getByText(new RegExp(`^${words}`))).toBeVisible();
    await user.keyboard("jlnx{Delete}");
    expect(names()).toEqual(["P1", "P2", "P3", "P4"]);
    expect(screen.queryByRole("textbox", { name: "Description" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Mark as done" })).toBeNull();
    expect(server.sent).toEqual([]);
    await expectAccessible(container);
  });

  it("still shows what was typed of a description before it was closed", async () => {
    const page = await openList(factoidList());
    await page.user.keyboard("jd{Control>}a{/Control}the ferry is st");
    page.unmount();
    const { user } = await openList(factoidList({ state: "closed", may_edit: false }));
    await user.keyboard("j");
    expect(screen.getByText(/You had typed this description/)).toHaveTextContent("“the ferry is st”");
    await user.click(screen.getByRole("button", { name: "Discard" }));
    expect(screen.queryByText(/You had typed/)).toBeNull();
  });

  it("because it is done: that is taken back by a button", async () => {
    const { user, server } = await openList(factoidList());
    await user.click(screen.getByRole("button", { name: "Mark as done" }));
    // One factoid has no description.
    expect(await screen.findByText(/1 factoid of the list still without a description/)).toBeVisible();
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Mark as done" }));
    expect(await screen.findByText(/You marked this list as done/)).toBeVisible();
    expect(server.list.done_at).not.toBeNull();
    await user.keyboard("jl");
    expect(server.sent).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Not done after all" }));
    await screen.findByRole("button", { name: "Mark as done" });
    await user.keyboard("l");
    await saved(server, 1);
    expect(server.sent).toHaveLength(1);
  });
});
