import "fake-indexeddb/auto";
import { screen, waitFor, within } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { LATER, LISTING, TIE } from "../../test/adjudication";
import { column, open, PAGE, Server } from "../../test/adjudicationPage";
import { Answer } from "../../test/admin";
import { axeFindings } from "../../test/renderApp";
import type { Decision } from "./api";

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  localStorage.clear();
});

/** No and a reason are sent for the first item, about which somebody else has said yes in the meantime. */
async function overtaken() {
  const server = new Server();
  server.refusal = new Answer(409, { code: "stale", detail: "Somebody decided about this item." });
  const { user } = open("/i1", "adjudicator", server);
  await screen.findByTestId("sentence");
  await user.keyboard("w{Enter}");
  server.cases.i1 = {
    ...TIE,
    decision: {
      ...{ revision: 1, source: "adjudication", labels: { opinion: "yes", mp: "no" }, reason: "Theirs." },
      ...{ withdraws: false, mine: false },
    },
  };
  await user.keyboard("A vote.{Enter}");
  expect(await screen.findByRole("button", { name: "Keep mine" })).toBeVisible();
  return { user, server };
}

const drafts = () => Object.keys(localStorage).filter((key) => key.includes(".adjudication."));

const question = (name: string) => screen.queryByRole("group", { name });

describe("the list", () => {
  it("flags decisions that answers are newer than", async () => {
    const server = new Server();
    const [first] = LISTING.items;
    if (!first) throw new Error("LISTING has items");
    const stages = [{ stage: "opinion", state: "adjudicated" as const, label_key: "yes", differs: true }];
    server.listing = {
      ...LISTING,
      items: [{ ...first, stages, revised_since: true }],
      counts: { ...LISTING.counts, decided: 4, revised: 1 },
    };
    const { user, asked } = open("", "adjudicator", server);
    expect(await screen.findByText("an answer is newer than the decision")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Decided, answers newer (1)" }));
    await waitFor(() => expect(asked.at(-1)?.path).toContain("kind=revised"));
  });

  it("leaves out what one could still answer otherwise, until one says that it is final", async () => {
    const server = new Server();
    server.listing = { ...LISTING, items: [], hidden_editable: 3, hidden_pending: 1 };
    const { user, asked } = open("", "adjudicator", server);
    expect(await screen.findByText(/^3 items not shown: you could still change/)).toBeVisible();
    expect(screen.getByText(/^1 item not shown: you have a second look/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "My answers are final: show them" }));
    expect(screen.getByRole("dialog")).toHaveTextContent(
      "your own answers to these items can no longer be changed",
    );
    expect(await axeFindings()).toEqual([]);
    expect(asked.filter(({ path }) => path.includes("own="))).toEqual([]);
    server.listing = LISTING;
    await user.click(screen.getByRole("button", { name: "They are final: show them" }));
    expect(await screen.findByText("I would go along with it.")).toBeVisible();
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(asked.filter(({ path }) => path.includes("own=locked"))).toHaveLength(1);
  });

  it("shows what is to decide, and what everything came to", async () => {
    open();
    const items = await screen.findByRole("group", { name: "Items" });
    const rows = within(items).getAllByRole("row");
    expect(rows[1]).toHaveTextContent("I would go along with it.Meeting of 4 March, round 1Opinion tie");
    expect(rows[2]).toHaveTextContent("Monetary policy no majoritymajority: Opinion");
    expect(screen.getByRole("button", { name: "Any disagreement (7)" })).toBeVisible();
    const standing = screen.getByRole("group", { name: "Results of the items" });
    expect(within(standing).getByRole("row", { name: /^Opinion/ })).toHaveTextContent("Opinion81000");
    expect(screen.getByText("3 items not counted: answers still missing")).toBeVisible();
    // Second looks are an admin's act.
    expect(screen.queryByRole("heading", { name: "Second look" })).toBeNull();
    expect(await axeFindings()).toEqual([]);
  });

  it("says of items that too few answered, which disagree with nobody", async () => {
    const server = new Server();
    const [, second] = LISTING.items;
    if (!second) throw new Error("LISTING has two items");
    const stages = [{ stage: "mp", state: "no_majority" as const, label_key: null, differs: false }];
    server.listing = {
      ...LISTING,
      items: [{ ...second, stages }],
      counts: { ...LISTING.counts, few: 1, any: 6 },
    };
    const { user, asked } = open("", "adjudicator", server);
    const row = within(await screen.findByRole("group", { name: "Items" })).getAllByRole("row")[1];
    expect(row).toHaveTextContent("Monetary policy too few answers");
    await user.click(screen.getByRole("button", { name: "Too few answers (1)" }));
    await waitFor(() => expect(asked.at(-1)?.path).toContain("?kind=few&"));
  });

  it("keeps its filters in the address, and asks with them", async () => {
    const { user, router, asked } = open();
    await user.click(await screen.findByRole("button", { name: "Ties (1)" }));
    await user.selectOptions(screen.getByLabelText("Stage"), "Monetary policy");
    await user.selectOptions(await screen.findByLabelText("Round"), "Round 2");
    await waitFor(() => expect(router.state.location.search).toBe("?kind=tie&stage=mp&round=2"));
    await waitFor(() =>
      expect(asked.at(-1)?.path).toBe("/api/projects/p1/adjudication/?kind=tie&stage=mp&round=2&page=1"),
    );
    expect(screen.getByRole("link", { name: "I would go along with it." })).toHaveAttribute(
      "href",
      "/projects/p1/adjudication/i1?kind=tie&stage=mp&round=2",
    );
  });

  it("is begun with Enter", async () => {
    const { user, router } = open("?kind=any");
    await screen.findByRole("link", { name: /Begin with the first/ });
    await user.keyboard("{Enter}");
    await screen.findByTestId("sentence");
    expect(router.state.location.pathname + router.state.location.search).toBe(`${PAGE}/i1?kind=any`);
  });

  it("says so where nothing is left", async () => {
    const server = new Server();
    server.listing = { ...LISTING, items: [], counts: { ...LISTING.counts, open: 0 } };
    open("", "adjudicator", server);
    expect(await screen.findByText("Nothing is left to decide here.")).toBeVisible();
  });
});

describe("one item", () => {
  it("shows the answers side by side, with comments and what they come to together", async () => {
    open("/i1");
    expect((await screen.findByTestId("sentence")).textContent).toBe("I would go along with it.");
    expect(column("A")).toEqual(["No", "not asked", ""]);
    expect(column("B")).toEqual(["Yes", "No", "She means the vote."]);
    expect(column("C")).toEqual(["Ambiguous", "not asked", ""]);
    expect(column("Together")).toEqual(["tie", "not applicable", ""]);
    expect(screen.getByText(/1 of 2/)).toBeVisible();
    expect(await axeFindings()).toEqual([]);
  });

  it("is decided by keys alone: label, reason, Enter, and the next one is there", async () => {
    const { user, server } = open("/i1");
    await screen.findByTestId("sentence");
    await user.keyboard("w{Enter}");
    expect(screen.getByLabelText(/^Reason/)).toHaveFocus();
    expect(server.posted).toEqual([]);
    await user.keyboard("It reports a vote.{Enter}");
    await waitFor(() => expect(screen.getByTestId("sentence").textContent).toBe("Rates are where they are."));
    expect(server.posted).toEqual([
      {
        client_id: expect.any(String),
        base_revision: 0,
        source: "adjudication",
        labels: { opinion: "no" },
        reason: "It reports a vote.",
        withdraw: false,
      },
    ]);
  });

  it("goes on without drawing the decided item anew, into which the next keys would go", async () => {
    const { user } = open("/i1");
    await screen.findByTestId("sentence");
    await user.keyboard("cwmA guess.");
    const shown = () => document.querySelector("[data-testid=sentence]")?.textContent ?? "";
    const decided = shown();
    const seen = new Set<string>();
    const watch = new MutationObserver(() => seen.add(shown()));
    watch.observe(document.body, { childList: true, subtree: true, characterData: true });
    await user.keyboard("{Enter}");
    await waitFor(() => expect(shown()).toContain(LATER.item.text));
    watch.disconnect();
    seen.delete(decided);
    expect([...seen]).toEqual([shown()]);
  });

  it("takes neither words nor choices while a decision is on its way, and says that it is", async () => {
    const server = new Server();
    let answer = () => {};
    server.delay = new Promise((resolve) => {
      answer = () => resolve();
    });
    const { user } = open("/i1", "adjudicator", server);
    await screen.findByTestId("sentence");
    await user.keyboard("wmFirst.{Enter}");
    expect(await screen.findByText("Storing…")).toBeVisible();
    await user.keyboard(" and more{Escape}q");
    expect(screen.getByRole("textbox", { name: /Reason/ })).toHaveValue("First.");
    answer();
    await waitFor(() => expect(screen.getByTestId("sentence")).toHaveTextContent(LATER.item.text));
    expect(server.posted).toMatchObject([{ labels: { opinion: "no" }, reason: "First." }]);
    expect(drafts()).toEqual([]);
  });

  it("opens the next question where the label opens it, and closes it again", async () => {
    const { user, server } = open("/i1");
    await screen.findByTestId("sentence");
    await user.keyboard("q");
    expect(question("Monetary policy")).not.toBeNull();
    await user.keyboard("s");
    await user.keyboard("m");
    await user.keyboard("Both.{Enter}");
    await waitFor(() => expect(server.posted.at(-1)?.labels).toEqual({ opinion: "yes", mp: "no" }));
  });

  it("sends only what was chosen: majorities stay majorities", async () => {
    const { user, server } = open("/i2");
    await screen.findByTestId("sentence");
    expect(screen.getByRole("button", { name: /Opinion.*Yes.*majority/ })).toBeVisible();
    await user.keyboard("s");
    await user.type(screen.getByLabelText(/^Reason/), "Only the vote.{Enter}");
    await waitFor(() => expect(server.posted.at(-1)?.labels).toEqual({ mp: "no" }));
    // Nothing comes after it: the page says what was decided.
    expect(await screen.findByText("You decided: Monetary policy: No.")).toBeVisible();
  });

  it("puts a decision in place of a majority, which closes what hung on it", async () => {
    const { user, server } = open("/i2");
    await screen.findByTestId("sentence");
    await user.keyboard("1");
    await user.keyboard("w");
    expect(question("Monetary policy")).toBeNull();
    await user.type(screen.getByLabelText(/^Reason/), "A report.{Enter}");
    await waitFor(() => expect(server.posted.at(-1)?.labels).toEqual({ opinion: "no" }));
  });

  it("takes a decision back with one key", async () => {
    const server = new Server();
    const labels = { opinion: "no" };
    server.cases.i1 = {
      ...TIE,
      decision: {
        revision: 3,
        source: "adjudication",
        labels,
        reason: "A rule.",
        withdraws: false,
        mine: false,
      },
    };
    const { user } = open("/i1", "adjudicator", server);
    expect(await screen.findByText("Somebody else decided: Opinion: No.")).toBeVisible();
    expect(screen.getByText("A rule.")).toBeVisible();
    await user.keyboard("x");
    expect(await screen.findByText("You took the decision back.")).toBeVisible();
    expect(server.posted.at(-1)).toMatchObject({ base_revision: 3, labels: {}, withdraw: true });
    expect(screen.queryByRole("button", { name: /Take the decision back/ })).toBeNull();
  });

  it("sends the same decision again under the same id, and says what went wrong", async () => {
    const server = new Server();
    server.refusal = new Answer(500, null);
    const { user } = open("/i1", "adjudicator", server);
    await screen.findByTestId("sentence");
    await user.keyboard("w{Enter}A vote.{Enter}");
    expect(await screen.findByRole("alert")).toBeVisible();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(server.posted).toHaveLength(2));
    expect(server.posted[0]?.client_id).toBe(server.posted[1]?.client_id);
  });

  it("keeps what was chosen and written where somebody else decided meanwhile, and stores it when told to", async () => {
    const { user, server } = await overtaken();
    expect(screen.getByText("Somebody else decided: Opinion: Yes. Monetary policy: No.")).toBeVisible();
    expect(screen.getByText("Theirs.")).toBeVisible();
    expect(screen.getByText(/What you chose and wrote is below, and is not stored/)).toHaveTextContent(
      "Somebody else decided this while you wrote.",
    );
    expect(screen.getByLabelText(/^Reason/)).toHaveValue("A vote.");
    expect(screen.getByRole("button", { name: /Opinion.*No.*decided/ })).toBeVisible();
    expect(await axeFindings()).toEqual([]);
    // One that is pressed too often stores nothing over theirs.
    await user.click(screen.getByRole("button", { name: /^Decide/ }));
    const told = "Keep yours or take the other one first.";
    expect(screen.getByText(told, { selector: ".notice" })).toBeVisible();
    expect(server.posted).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: "Keep mine" }));
    expect(screen.queryByRole("button", { name: "Keep mine" })).toBeNull();
    expect(screen.queryByText(told, { selector: ".notice" })).toBeNull();
    await user.click(screen.getByRole("button", { name: /^Decide/ }));
    await waitFor(() => expect(server.posted).toHaveLength(2));
    expect(server.posted[1]).toMatchObject({
      base_revision: 1,
      labels: { opinion: "no" },
      reason: "A vote.",
    });
    await waitFor(() => expect(drafts()).toEqual([]));
  });

  it("takes the other decision in place of what was written, when told to", async () => {
    const { user, server } = await overtaken();
    expect(screen.getByRole("button", { name: "Keep mine" })).toHaveFocus();
    await user.click(screen.getByRole("button", { name: "Take the other" }));
    expect(screen.getByLabelText(/^Reason/)).toHaveValue("Theirs.");
    expect(screen.getByRole("button", { name: /Monetary policy.*No.*decided/ })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Keep mine" })).toBeNull();
    expect(server.posted).toHaveLength(1);
    expect(drafts()).toEqual([]);
  });

  it("goes to its neighbours, opens context, and lists its keys", async () => {
    const { user } = open("/i1");
    await screen.findByTestId("sentence");
    await user.keyboard("c");
    expect(screen.getByTestId("sentence").textContent).toMatch(/^Thank you/);
    await user.keyboard("{ArrowRight}");
    await waitFor(() => expect(screen.getByTestId("sentence").textContent).toBe("Rates are where they are."));
    await user.keyboard("{ArrowLeft}");
    await waitFor(() => expect(screen.getByTestId("sentence").textContent).toBe("I would go along with it."));
    await user.keyboard("?");
    expect(within(screen.getByRole("dialog")).getByText("Store the decision and go on")).toBeVisible();
  });

  it("warns whoever answered the item too that looking settles their own answer", async () => {
    const server = new Server();
    const words =
      "You answered this item yourself. Once you see the others' answers, you can no longer change your own.";
    server.cases.i1 = new Answer(409, { code: "own_answer", detail: words });
    const { user, asked } = open("/i1", "adjudicator", server);
    expect(await screen.findByText(words)).toBeVisible();
    expect(await axeFindings()).toEqual([]);
    expect(asked.filter(({ path }) => path.includes("own="))).toEqual([]);
    server.cases.i1 = TIE;
    await user.click(screen.getByRole("button", { name: "Mine stays as it is: show the answers" }));
    expect(await screen.findByTestId("sentence")).toHaveTextContent(TIE.item.text);
    expect(asked.at(-1)?.path).not.toContain("/i1/?own");
    expect(asked.filter(({ path }) => path.endsWith("/i1/?own=locked"))).toHaveLength(1);
  });

  it("says that answers are newer than the decision", async () => {
    const server = new Server();
    const decision: Decision = {
      ...{ revision: 1, source: "adjudication", labels: { opinion: "yes" }, reason: "A vote." },
      ...{ withdraws: false, mine: true },
    };
    server.cases.i1 = { ...TIE, decision, revised_since: true };
    open("/i1", "adjudicator", server);
    expect(await screen.findByText(/^Answers were changed or given after this decision/)).toBeVisible();
  });

  it("says why the answers are not shown yet", async () => {
    const server = new Server();
    server.cases.i1 = new Answer(409, {
      code: "waiting",
      detail: "Not every answer to this item has been submitted yet.",
    });
    open("/i1", "adjudicator", server);
    expect(await screen.findByText("Not every answer to this item has been submitted yet.")).toBeVisible();
  });
});
