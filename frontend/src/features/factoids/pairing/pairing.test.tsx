import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Answer, expectAccessible, renderScreen, roleOf, serve } from "../../../test/admin";
import { PAIRING, related } from "../../../test/factoidSets";
import type { Pairing, Relation } from "../types";
import { Component } from "./index";
import { candidates, changedLinks, markedSentences, mostUncertain } from "./pairs";
import { likeness, pieces } from "./words";

/** A server that holds the pairing: judgements and settings change what it answers next. */
function open(begun: Pairing = PAIRING, routes: Record<string, unknown> = {}, address = "/x1") {
  let now = begun;
  const asked = serve({
    "GET /api/factoid-pairings/x1/": () => now,
    "POST /api/factoid-pairings/x1/relations/": ({ body }: { body: unknown }) => {
      const { a, b, relation } = body as { a: string; b: string; relation: Relation | "" };
      now = related(now, a, b, relation || null);
      return new Answer(201, { a, b, relation });
    },
    "PATCH /api/factoid-pairings/x1/": ({ body }: { body: unknown }) => {
      const links = now.links.map((link) =>
        link.b === "f2" ? { ...link, direction: "A<-B" as const } : link,
      );
      now = { ...now, ...(body as object), links };
      return now;
    },
    ...routes,
  });
  return { asked, ...renderScreen(Component, {}, address, "/:pairingId") };
}

const judged = (asked: { path: string; body: unknown }[]) =>
  asked
    .filter(({ path }) => path.endsWith("/relations/"))
    .map(({ body }) => {
      const { a, b, relation } = body as Record<string, string>;
      return [a, b, relation].join(" ");
    });

const atHand = async () => within(await screen.findByRole("region", { name: "Pair at hand" }));

async function expectAtHand(a: string, b: string) {
  const pair = await atHand();
  await waitFor(() => expect(pair.getByText(a)).toBeVisible());
  expect(pair.getByText(b)).toBeVisible();
}

describe("judging pairs", () => {
  it("begins with the pair whose F is nearest the threshold, and shows it as the paper does", async () => {
    const { container } = open();
    await expectAtHand("P2", "F2");
    const pair = await atHand();
    expect(pair.getByRole("heading", { name: "PAIRED" })).toBeVisible();
    expect(pair.getByText("F = 0.800")).toBeVisible();
    expect(pair.getAllByRole("listitem").map((line) => line.textContent)).toEqual([
      "=H01-001in both: The ferry Marta ran aground on Tuesday.",
      "=H02-001in both: On Tuesday a ferry hit a sandbank.",
      "<H03-001only in A: The Marta is old.",
    ]);
    // "Tuesday" is in both.
    expect([...container.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
      "It",
      "was",
      "a",
    ]);
    expect(container.querySelector(".lacked")?.parentElement).toHaveTextContent(
      "Marked words are not in the other description.",
    );
    await expectAccessible(container);
  });

  it("goes from the most uncertain to the next by keys, and says when all are judged", async () => {
    const { asked } = open();
    await expectAtHand("P2", "F2");
    await userEvent.keyboard("2");
    await expectAtHand("P2", "F3");
    expect(screen.getByRole("heading", { name: "UNPAIRED BEST" })).toBeVisible();
    await userEvent.keyboard("4");
    await expectAtHand("P1", "F1");
    await userEvent.keyboard("1");
    await waitFor(() => expect(judged(asked)).toEqual(["p2 f2 subsumes", "p2 f3 related", "p1 f1 equal"]));
    expect(await screen.findByText("3 of 3 pairs judged")).toBeVisible();
    // Each has an id of its own, so that a repeated request counts once.
    const ids = asked.flatMap(({ body }) => (body as { client_id?: string } | undefined)?.client_id ?? []);
    expect(new Set(ids).size).toBe(3);
  });

  it("undoes the last judgement, and withdraws one", async () => {
    const { asked } = open();
    await expectAtHand("P2", "F2");
    await userEvent.keyboard("1");
    await expectAtHand("P2", "F3");
    await userEvent.keyboard("u");
    await expectAtHand("P2", "F2");
    await waitFor(() => expect(judged(asked)).toEqual(["p2 f2 equal", "p2 f2 "]));
    await userEvent.keyboard("5");
    await userEvent.keyboard("{ArrowUp}{ArrowUp}{ArrowDown}");
    await expectAtHand("P2", "F2");
    await userEvent.keyboard("0");
    await waitFor(() => expect(judged(asked).at(-1)).toBe("p2 f2 "));
    expect(await screen.findByText("0 of 3 pairs judged")).toBeVisible();
  });

  it("puts a pair aside until the others are judged", async () => {
    open();
    await expectAtHand("P2", "F2");
    await userEvent.keyboard("s");
    await expectAtHand("P2", "F3");
    await userEvent.keyboard("s");
    await expectAtHand("P1", "F1");
    await userEvent.keyboard("1");
    await expectAtHand("P2", "F2");
  });

  it("takes a refused judgement back, and says why", async () => {
    const refusal = new Answer(409, { detail: "This pairing is frozen.", code: "frozen" });
    open(PAIRING, { "POST /api/factoid-pairings/x1/relations/": refusal });
    await expectAtHand("P2", "F2");
    await userEvent.keyboard("1");
    expect(await screen.findByText("This pairing is frozen.")).toBeVisible();
    await expectAtHand("P2", "F2");
    expect(screen.getByText("0 of 3 pairs judged")).toBeVisible();
  });

  it("takes no judgement once it is frozen", async () => {
    const { asked } = open({ ...PAIRING, is_frozen: true });
    await expectAtHand("P2", "F2");
    expect(screen.getByText(/These judgements are frozen/)).toBeVisible();
    expect(screen.getByRole("button", { name: /^Equal/ })).toBeDisabled();
    await userEvent.keyboard("1");
    expect(judged(asked)).toEqual([]);
  });

  it("filters by judgement and by link; the address keeps it", async () => {
    const { router } = open(related(PAIRING, "p1", "f1", "equal"));
    await expectAtHand("P2", "F2");
    const list = within(screen.getByRole("region", { name: "Pairs" }));
    await userEvent.click(list.getByRole("button", { name: "To judge (2)" }));
    await userEvent.selectOptions(list.getByLabelText("Link"), "Weak, A ← B");
    expect(list.getAllByRole("listitem")).toHaveLength(1);
    expect(router.state.location.search).toBe("?which=unjudged&link=A%3C-B");
    await userEvent.click(list.getByRole("button", { name: "Judged (1)" }));
    expect(list.getByText("No pair matches. Choose less above.")).toBeVisible();
  });

  it("relates a factoid without a link by hand", async () => {
    const { asked, container } = open();
    await expectAtHand("P2", "F2");
    await userEvent.click(screen.getByRole("button", { name: "By hand" }));
    await userEvent.click(screen.getByRole("button", { name: /P4.*the Marta is old/ }));
    const pair = await atHand();
    const options = within(pair.getByLabelText("B · Ben: relate it to")).getAllByRole("option");
    expect(options.map((option) => option.textContent)).toEqual([
      "Choose a factoid",
      "F5 an old ship",
      "F1 a ferry ran onto a sandbank",
      "F2 Tuesday",
      "F3 it happened",
    ]);
    await userEvent.selectOptions(pair.getByLabelText("B · Ben: relate it to"), "f5");
    expect(pair.getByText("no link · F = 0.000")).toBeVisible();
    await expectAccessible(container);
    await userEvent.keyboard("4");
    await waitFor(() => expect(judged(asked)).toEqual(["p4 f5 related"]));
  });

  it("relates any two factoids by hand, also ones that have links", async () => {
    const { asked } = open();
    await expectAtHand("P2", "F2");
    await userEvent.click(screen.getByRole("button", { name: "By hand" }));
    await userEvent.selectOptions(screen.getByLabelText("A · Ann"), "P1 A ferry ran aground");
    await userEvent.selectOptions(screen.getByLabelText("B · Ben"), "F3 it happened");
    expect((await atHand()).getByText("no link · F = 0.800")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: /^Unrelated/ }));
    await waitFor(() => expect(judged(asked)).toEqual(["p1 f3 unrelated"]));
  });
});

describe("what is around the pairs", () => {
  it("links anew by another threshold, and names what changed", async () => {
    const { asked } = open();
    await userEvent.clear(await screen.findByLabelText("Threshold"));
    await userEvent.type(screen.getByLabelText("Threshold"), "1.5");
    expect(screen.getByText("Type a number from 0 to 1.")).toBeVisible();
    await userEvent.clear(screen.getByLabelText("Threshold"));
    await userEvent.type(screen.getByLabelText("Threshold"), "0.9");
    await userEvent.click(screen.getByRole("button", { name: "Link them anew" }));
    expect(await screen.findByText("P2 – F2: paired, now weak, a ← b")).toBeVisible();
    expect(screen.getByText("1 pair changed:")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Back to 0.8 and 0" }));
    await waitFor(() =>
      expect(asked.filter(({ method }) => method === "PATCH").map(({ body }) => body)).toEqual([
        { threshold: 0.9, description_weight: 0 },
        { threshold: 0.8, description_weight: 0 },
      ]),
    );
  });

  it("shows Figure 4's table and rates beside the paper's", async () => {
    const comparison = {
      ...PAIRING.comparison,
      table: { ...PAIRING.comparison.table, equal: { strong: 3, "A<-B": 1, "A->B": 0, unlinked: 0 } },
      rates: { ...PAIRING.comparison.rates, equal_strong: 0.75 },
      n_not_judged: 8,
    };
    open({ ...PAIRING, comparison });
    const table = await screen.findByRole("table", { name: "Judged pairs by relation and link" });
    expect(within(table).getAllByRole("row")[1]).toHaveTextContent(/Equal.*3100/);
    const rates = within(screen.getByRole("table", { name: "Rates" }));
    expect(rates.getByRole("row", { name: /Equal pairs that are paired 0.750 .824/ })).toBeVisible();
    expect(rates.getAllByText("nothing judged")).toHaveLength(4);
    expect(screen.getByText("8 links not judged, and in no cell.")).toBeVisible();
    expect(screen.getByRole("link", { name: "LaTeX of “Relations by link”" })).toHaveAttribute(
      "href",
      "/api/text-sets/s1/files/relations.tex/?pairing=x1",
    );
  });

  it("proposes a consensus list, and opens it", async () => {
    const { asked, router } = open(PAIRING, { "POST /api/text-sets/s1/consensus/": { id: "d1" } });
    await userEvent.click(await screen.findByRole("button", { name: "Propose a consensus list" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByText(/3 pairs not judged yet/)).toBeVisible();
    const button = dialog.getByRole("button", { name: "Propose the list" });
    act(() => {
      // The second click of a double click comes before the button is drawn as disabled.
      button.click();
      button.click();
    });
    await waitFor(() => expect(router.state.location.pathname).toBe("/projects/p1/factoids/lists/d1"));
    expect(asked.filter(({ path }) => path.endsWith("/consensus/")).map(({ body }) => body)).toEqual([
      { pairing: "x1", from: null },
    ]);
  });

  it("gives an adjudicator the pairs, and no settings", async () => {
    serve({ "GET /api/factoid-pairings/x1/": PAIRING });
    renderScreen(Component, roleOf("adjudicator"), "/x1", "/:pairingId");
    await expectAtHand("P2", "F2");
    expect(screen.queryByLabelText("Threshold")).toBeNull();
    expect(screen.queryByRole("button", { name: "Propose a consensus list" })).toBeNull();
  });

  it("answers an unknown pairing with nothing here", async () => {
    serve({ "GET /api/factoid-pairings/x1/": new Answer(404, { detail: "Not found." }) });
    renderScreen(Component, {}, "/x1", "/:pairingId");
    expect(await screen.findByRole("heading", { name: "Nothing here" })).toBeVisible();
  });
});

describe("rules", () => {
  const { links, texts, first_factoids, second_factoids } = PAIRING;

  it("marks the words that the other description lacks", () => {
    expect(pieces("The old Ferry, aground!", "a ferry ran aground")).toEqual([
      { text: "The", isOwn: true },
      { text: " ", isOwn: false },
      { text: "old", isOwn: true },
      { text: " Ferry, aground!", isOwn: false },
    ]);
    expect(pieces("", "x")).toEqual([]);
    // Shared: a, ferry; in all: a, ferry, ran, sank.
    expect(likeness("a ferry ran", "a ferry sank")).toBe(0.5);
    expect(likeness("", "")).toBe(0);
  });

  it("finds nothing uncertain where all is judged", () => {
    expect(mostUncertain(links, 0.8, new Set())?.b).toBe("f2");
    expect(mostUncertain(links, 1, new Set())?.b).toBe("f1");
    expect(mostUncertain(links, 0.8, new Set(["p2 f2"]))?.b).toBe("f3");
    const all = links.map((link) => ({ ...link, relation: "equal" as const }));
    expect(mostUncertain(all, 0.8, new Set())).toBeUndefined();
  });

  it("marks sentences in the order of the set", () => {
    const [, p2] = first_factoids;
    const f3 = second_factoids[2];
    const marks = markedSentences(texts, p2 ?? null, f3 ?? null);
    expect(marks.map(({ id, mark }) => mark + id)).toEqual(["=H01-001", "=H02-001", ">H02-002", "<H03-001"]);
  });

  it("puts those first that share sentences, then words", () => {
    const [p1] = first_factoids;
    if (!p1) throw new Error("no factoid");
    expect(candidates(p1, second_factoids).map(({ id }) => id)).toEqual(["F1", "F2", "F3", "F5"]);
  });

  it("compares links before and after", () => {
    const after = links.slice(0, 2).map((link) => ({ ...link, direction: "A->B" as const }));
    expect(changedLinks(links, after)).toEqual([
      { a: "p1", b: "f1", before: "strong", after: "A->B" },
      { a: "p2", b: "f2", before: "strong", after: "A->B" },
      { a: "p2", b: "f3", before: "A<-B", after: "unlinked" },
    ]);
  });
});
