import "fake-indexeddb/auto";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { SpanOut } from "../../api/types";
import { Answer, ME, PROJECT, serve } from "../../test/admin";
import { assignment } from "../../test/fixtures";
import { axeFindings, renderApp } from "../../test/renderApp";
import { LAYER } from "../../test/spanFixtures";
import type { Beside, Decided, DecisionBody, ItemPage, ListedItem, Listing } from "./api";

const TEXT = "The board eased in May because trade fell.";

function span(quote: string, category: string, comment: string | null = null): SpanOut {
  const start = TEXT.indexOf(quote);
  return { start, end: start + quote.length, quote, category, comment, source: null };
}

const SENTENCE = span(TEXT, "sentence");

function beside(letter: string, spans: SpanOut[], over: Partial<Beside> = {}): Beside {
  return {
    ...{ id: `annotation-${letter}`, letter, spans, comment: "" },
    ...{ skipped: false, skip_reason: null, revised_since: false },
    ...over,
  };
}

const A = beside("A", [SENTENCE, span("eased", "act", "Cut rates")]);
const B = beside("B", [SENTENCE, span("eased", "act", "Rates cut"), span("trade fell", "motive")], {
  comment: "Not sure about the motive.",
});
const C = beside("C", [], { skipped: true, skip_reason: "The text is cut off" });

function itemPage(over: Partial<ItemPage> = {}): ItemPage {
  const item = { ...assignment("a1").item, id: "i1", external_id: "news-1", text: TEXT };
  return {
    ...{ id: "i1", batch_kind: "round", batch_number: 1, n_submitted: 3, n_needed: 3, state: "open" },
    ...{ item, sources: [], annotations: [A, B, C], revision: 0, decision: null, taken_back: null },
    codebook: { id: "c", version: 1, definition: { name: "Spans", stages: [], span_layer: LAYER } },
    ...{ previous: null, next: "i2", next_open: "i2" },
    ...over,
  };
}

const DECIDED: Decided = {
  ...{ revision: 1, decision: "accepted", annotation: A.id, letter: "A", spans: A.spans, reason: "" },
  revised_since: false,
};

/** Settles as the server does; `answer` stands in for the next answer to a decision. */
class Server {
  page: ItemPage;
  answer: Answer | null = null;
  posted: DecisionBody[] = [];

  constructor(page: ItemPage = itemPage()) {
    this.page = page;
  }

  install(role: "admin" | "adjudicator" = "adjudicator") {
    const project = { ...PROJECT, role, has_spans: true };
    return serve({
      "GET /api/me/": ME,
      "GET /api/projects/": [project],
      "GET /api/projects/p1/": project,
      "GET /api/projects/p1/workers/": new Answer(503, {}),
      "GET /api/projects/p1/validation/": LISTING,
      "GET /api/projects/p1/validation/i1/": () => this.page,
      "GET /api/projects/p1/validation/i2/": () => ({ ...this.page, id: "i2" }),
      "POST /api/projects/p1/validation/i1/": ({ body }: { body: unknown }) =>
        this.take(body as DecisionBody),
    });
  }

  private take(body: DecisionBody): Answer {
    this.posted.push(body);
    const { answer } = this;
    this.answer = null;
    if (answer) return answer;
    const revision = this.page.revision + 1;
    const { decision, annotation, reason } = body;
    const letter = this.page.annotations.find(({ id }) => id === annotation)?.letter ?? null;
    if (decision === "reopened")
      this.page = { ...this.page, revision, state: "open", taken_back: this.page.decision, decision: null };
    else {
      const spans = decision === "accepted" ? (letter === "A" ? A : B).spans : body.spans;
      const decided = { revision, decision, annotation, letter, spans, reason, revised_since: false };
      this.page = { ...this.page, revision, state: decision, decision: decided, taken_back: null };
    }
    return new Answer(201, { revision, decision, annotation, spans: [], reason });
  }
}

function listed(id: string, over: Partial<ListedItem> = {}): ListedItem {
  return {
    ...{ id, external_id: `news-${id}`, title: "Rate cut", batch_kind: "round", batch_number: 1 },
    ...{ n_submitted: 3, n_needed: 3, state: "open", revised_since: false },
    ...over,
  };
}

const LISTING: Listing = {
  items: [listed("i1"), listed("i2", { state: "accepted", revised_since: true })],
  counts: { waiting: 4, open: 1, accepted: 1, edited: 0, rejected: 0 },
  ...{ page: 1, n_pages: 3 },
};

const ITEM = "/projects/p1/validation/i1";
const column = (letter: string) => within(screen.getByRole("article", { name: `Annotation ${letter}` }));
const decision = () => screen.getByRole("region", { name: "Decision" });

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  localStorage.clear();
});

async function opened(server: Server, path = ITEM) {
  server.install();
  const view = renderApp(path);
  await screen.findByRole("article", { name: "Annotation A" });
  return view;
}

describe("the list", () => {
  it("is where an adjudicator begins, and says how far each item is", async () => {
    const asked = new Server().install();
    const { user, router } = renderApp("/projects/p1");
    expect(
      await screen.findByText(
        "1 ready to validate, 4 waiting for annotations, 1 settled: 1 accepted, 0 edited, 0 rejected.",
      ),
    ).toBeVisible();
    expect(router.state.location.pathname).toBe("/projects/p1/validation");
    const [, first, second] = screen.getAllByRole("row");
    expect(first).toHaveTextContent("ready to validate");
    expect(second).toHaveTextContent("an annotation was revised since");
    expect(screen.getByRole("link", { name: "news-i2" })).toHaveAttribute(
      "href",
      "/projects/p1/validation/i2",
    );
    expect(await axeFindings()).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Settled (1)" }));
    await user.click(await screen.findByRole("button", { name: "Forward" }));
    await waitFor(() => expect(asked.at(-1)?.path).toBe("/api/projects/p1/validation/?state=settled&page=2"));
  });

  it("is no screen of a project without spans, nor of an annotator", async () => {
    serve({
      "GET /api/me/": ME,
      "GET /api/projects/": [{ ...PROJECT, role: "adjudicator" }],
    });
    renderApp("/");
    expect(await screen.findByRole("link", { name: PROJECT.name })).toHaveAttribute(
      "href",
      "/projects/p1/adjudication",
    );
  });
});

describe("annotations side by side", () => {
  it("say what differs, span by span, and name nobody", async () => {
    await opened(new Server());
    expect(screen.getByText("2 spans in common, 1 not.")).toBeVisible();
    const lines = (letter: string) =>
      column(letter)
        .getAllByRole("listitem")
        .map((line) => line.textContent);
    expect(lines("A")).toEqual([
      expect.stringMatching(/^Sentence .*● both$/),
      "Act easedCut rates◉ another comment in B",
    ]);
    expect(lines("B")).toEqual([
      expect.stringMatching(/^Sentence .*● both$/),
      "Act easedRates cut◉ another comment in A",
      "Motive trade fell○ only B",
    ]);
    expect(column("B").getByText("Not sure about the motive.", { exact: false })).toBeVisible();
    expect(column("C").getByText("Skipped: The text is cut off")).toBeVisible();
    expect(column("C").queryByRole("button", { name: /Accept/ })).toBeNull();
    expect(await axeFindings()).toEqual([]);
  });

  it("lists only differences on demand", async () => {
    const { user } = await opened(new Server());
    await user.keyboard("o");
    expect(column("A").getAllByRole("listitem")).toHaveLength(1);
    expect(column("B").getAllByRole("listitem")).toHaveLength(2);
  });

  it("shows a span that is looked at in every column that has it", async () => {
    const { user } = await opened(new Server());
    await user.click(column("A").getByRole("button", { name: /^Act.*eased.*another/ }));
    expect(column("A").getByRole("button", { name: "Act: eased" })).toHaveAttribute("aria-pressed", "true");
    expect(column("B").getByRole("button", { name: "Act: eased" })).toHaveAttribute("aria-pressed", "true");
  });

  it("are hidden while some are still to come", async () => {
    const server = new Server(itemPage({ state: "waiting", annotations: [], n_submitted: 1 }));
    server.install();
    const { user } = renderApp(ITEM);
    expect(await screen.findByText(/1 of 3 annotations are in/)).toBeVisible();
    await user.keyboard("ax");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(server.posted).toEqual([]);
    expect(await axeFindings()).toEqual([]);
  });
});

describe("sources", () => {
  const SOURCES = [
    { id: "s1", external_id: "pr-1", title: "Minutes", text: "Rates were eased. Trade fell." },
    { id: "s2", external_id: "pr-2", title: "", text: "Nothing of it." },
  ];
  const panel = () => screen.queryByRole("complementary", { name: "Sources" });

  it("stand beside the annotations, can be searched, and go away", async () => {
    const { user, container } = await opened(new Server(itemPage({ sources: SOURCES })));
    await user.keyboard("/");
    await user.keyboard("fell{Escape}");
    expect(within(panel() as HTMLElement).getByText("1 of 1")).toBeVisible();
    expect(container.querySelector(".source-text mark")).toHaveTextContent("fell");
    await user.click(screen.getByRole("tab", { name: "pr-2" }));
    expect(within(panel() as HTMLElement).getByText("Nothing of it.")).toBeVisible();
    await user.keyboard("s");
    expect(panel()).toBeNull();
    await user.click(screen.getByRole("button", { name: /2 sources beside the text/ }));
    expect(panel()).toBeVisible();
  });

  it("have a key of their own while an edit has the letters", async () => {
    const { user } = await opened(new Server(itemPage({ sources: SOURCES })));
    await user.keyboard("ns");
    expect(panel()).toBeVisible();
    await user.keyboard("b");
    expect(panel()).toBeNull();
  });
});

describe("deciding", () => {
  it("accepts by key, and leads to the next one that is ready", async () => {
    const server = new Server();
    const { user, router } = await opened(server);
    await user.keyboard("b");
    expect(await within(decision()).findByText("Accepted: B.")).toBeVisible();
    expect(server.posted).toEqual([
      {
        client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ...{ base_revision: 0, decision: "accepted", annotation: B.id, spans: [], reason: "" },
      },
    ]);
    expect(column("B").getByText("accepted")).toBeVisible();
    expect(column("A").queryByRole("button", { name: /Accept A/ })).toBeNull();
    expect(await axeFindings()).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(router.state.location.pathname).toBe("/projects/p1/validation/i2"));
  });

  it("rejects only with a reason", async () => {
    const server = new Server();
    const { user } = await opened(server);
    await user.keyboard("x");
    const dialog = within(screen.getByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "Reject all" }));
    expect(dialog.getByRole("alert")).toHaveTextContent("Say why");
    expect(await axeFindings()).toEqual([]);
    await user.type(dialog.getByLabelText("Why?"), "Cut off");
    await user.click(dialog.getByRole("button", { name: "Reject all" }));
    expect(await within(decision()).findByText("Rejected: Cut off")).toBeVisible();
    expect(server.posted).toMatchObject([{ decision: "rejected", reason: "Cut off" }]);
  });

  it("reopens, and says what had been decided", async () => {
    const server = new Server(itemPage({ state: "accepted", decision: DECIDED, revision: 1 }));
    const { user } = await opened(server);
    await user.keyboard("r");
    expect(await within(decision()).findByText("Reopened. Before that: Accepted: A.")).toBeVisible();
    expect(server.posted).toMatchObject([{ decision: "reopened", base_revision: 1 }]);
    expect(column("A").getByRole("button", { name: /Accept A/ })).toBeVisible();
  });

  it("says what was revised since, and shows what had been accepted", async () => {
    const revised = beside("A", [SENTENCE, span("fell", "act", "Fell")], {
      id: "later",
      revised_since: true,
    });
    const decided = { ...DECIDED, revised_since: true };
    await opened(
      new Server(itemPage({ state: "accepted", decision: decided, revision: 1, annotations: [revised, B] })),
    );
    expect(within(decision()).getByText(/^A was revised since this decision/)).toBeVisible();
    const settled = within(screen.getByRole("article", { name: "Settled" }));
    expect(settled.getByText("Cut rates")).toBeVisible();
    expect(column("A").getByText("revised since the decision")).toBeVisible();
  });

  it("keeps the same id for the same decision that is sent again", async () => {
    const server = new Server();
    const { user } = await opened(server);
    server.answer = new Answer(503, { detail: "The database does not answer: try again in a moment." });
    await user.keyboard("a");
    expect(await within(decision()).findByRole("alert")).toHaveTextContent("The database does not answer");
    await user.keyboard("a");
    await within(decision()).findByText("Accepted: A.");
    const [first, second] = server.posted.map(({ client_id }) => client_id);
    expect(first).toBe(second);
  });

  it("loads anew what it did not know, and says so", async () => {
    const server = new Server();
    const { user } = await opened(server);
    server.answer = new Answer(409, { code: "stale", detail: "Somebody decided about this item." });
    server.page = itemPage({ state: "accepted", decision: DECIDED, revision: 1 });
    await user.keyboard("b");
    expect(await within(decision()).findByText("Accepted: A.")).toBeVisible();
    expect(within(decision()).getByRole("alert")).toHaveTextContent("Somebody decided about this item.");
  });
});

const keptEdits = () => Object.keys(localStorage).filter((key) => key.startsWith("quorum.validation"));
const edit = () => screen.getByRole("region", { name: "Your edit" });
const store = () => within(edit()).getByRole("button", { name: /^Store/ });

describe("editing", () => {
  it("starts from an annotation, and stores what was made of it", async () => {
    const server = new Server();
    const { user } = await opened(server);
    await user.keyboard("{Shift>}b{/Shift}");
    expect(within(edit()).getByRole("heading", { name: "Your edit, from B" })).toBeVisible();
    expect(await axeFindings()).toEqual([]);
    await user.click(within(edit()).getByRole("button", { name: "Motive: trade fell" }));
    await user.keyboard("{Delete}");
    await user.keyboard("{Enter}");
    expect(await within(decision()).findByText("Edited, from B.")).toBeVisible();
    expect(server.posted).toMatchObject([
      {
        decision: "edited",
        annotation: B.id,
        spans: [{ ...SENTENCE, comment: null }, span("eased", "act", "Rates cut")],
      },
    ]);
    expect(screen.getByRole("article", { name: "Settled" })).toBeVisible();
    expect(keptEdits()).toEqual([]);
  });

  it("does not store what is not complete, and says what is missing", async () => {
    const server = new Server();
    const { user } = await opened(server);
    await user.keyboard("n");
    expect(within(edit()).getByRole("heading", { name: "Your edit, from nothing" })).toBeVisible();
    await user.keyboard("{Enter}");
    expect(within(edit()).getAllByText(/There is no Sentence in the text/).length).toBeGreaterThan(0);
    expect(server.posted).toEqual([]);
  });

  it("survives a reload, and a send that failed", async () => {
    const server = new Server();
    const first = await opened(server);
    await first.user.keyboard("{Shift>}a{/Shift}");
    await first.user.click(within(edit()).getByRole("button", { name: "Act: eased" }));
    await first.user.type(within(edit()).getByLabelText(/^Comment/), " twice");
    // A browser says so to a page that it leaves.
    fireEvent(document, new Event("visibilitychange"));
    first.unmount();
    expect(keptEdits()).toEqual(["quorum.validation.u1.i1"]);

    const { user } = await opened(server);
    expect(within(edit()).getByRole("heading", { name: "Your edit, from A" })).toBeVisible();
    server.answer = new Answer(503, { detail: "The database does not answer: try again in a moment." });
    await user.click(store());
    expect(await within(edit()).findByRole("alert")).toHaveTextContent("The database does not answer");
    await user.click(store());
    expect(await within(decision()).findByText("Edited, from A.")).toBeVisible();
    expect(server.posted.map(({ spans }) => spans[1]?.comment)).toEqual([
      "Cut rates twice",
      "Cut rates twice",
    ]);
    expect(new Set(server.posted.map(({ client_id }) => client_id)).size).toBe(1);
  });

  it("waits where the item was settled meanwhile, and goes on once it is reopened", async () => {
    const server = new Server();
    const { user } = await opened(server);
    await user.keyboard("{Shift>}b{/Shift}");
    await user.click(within(edit()).getByRole("button", { name: "Motive: trade fell" }));
    await user.keyboard("{Delete}");
    server.answer = new Answer(409, { code: "stale", detail: "Somebody decided about this item." });
    server.page = itemPage({ state: "accepted", decision: DECIDED, revision: 1 });
    await user.click(store());
    expect(await within(decision()).findByText(/You have an edit here that was not stored/)).toBeVisible();
    await user.keyboard("r");
    await waitFor(() => expect(edit()).toBeVisible());
    expect(within(edit()).queryByRole("button", { name: "Motive: trade fell" })).toBeNull();
    await user.click(store());
    await within(decision()).findByText("Edited, from B.");
    expect(server.posted.at(-1)).toMatchObject({ decision: "edited", base_revision: 2 });
  });

  it("asks before a changed edit is dropped, and drops an unchanged one at once", async () => {
    const { user } = await opened(new Server());
    await user.keyboard("{Shift>}b{/Shift}");
    await user.keyboard("x");
    expect(screen.queryByRole("region", { name: "Your edit" })).toBeNull();
    await user.keyboard("{Shift>}b{/Shift}");
    await user.click(within(edit()).getByRole("button", { name: "Motive: trade fell" }));
    await user.keyboard("{Delete}x");
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Drop it" }));
    expect(decision()).toBeVisible();
    expect(keptEdits()).toEqual([]);
  });

  it("goes on from a decision that was taken back", async () => {
    const taken = { ...DECIDED, decision: "edited" as const, spans: [SENTENCE, span("fell", "act", "Fell")] };
    const { user } = await opened(new Server(itemPage({ taken_back: taken, revision: 2 })));
    await user.keyboard("t");
    expect(within(edit()).getByRole("button", { name: "Act: fell" })).toBeVisible();
  });

  it("says where the browser cannot keep it", async () => {
    const { user } = await opened(new Server());
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    await user.keyboard("{Shift>}b{/Shift}");
    expect(within(edit()).getByText(/cannot keep the edit over a reload/)).toBeVisible();
    vi.restoreAllMocks();
  });
});

it("works without a mouse only where keys are printed where they act", async () => {
  await opened(new Server());
  const keyed = screen
    .getAllByRole("button")
    .filter((button) => button.hasAttribute("aria-keyshortcuts"))
    .map((button) => [button.getAttribute("aria-keyshortcuts"), button.querySelector(".key")?.textContent]);
  expect(keyed.length).toBeGreaterThan(6);
  for (const [, printed] of keyed) expect(printed).toBeTruthy();
  await userEvent.keyboard("?");
  const sheet = within(screen.getByRole("dialog", { name: "Keys" }));
  for (const words of ["Accept A", "Edit from B", "Reject all, with a reason", "Next item"])
    expect(sheet.getByText(words)).toBeVisible();
});

it("shows the whole codebook by its key, while reading and while editing", async () => {
  const page = itemPage();
  page.codebook.definition.guidelines = "Mark the whole clause.";
  await opened(new Server(page));
  await userEvent.keyboard("k");
  expect(screen.getByRole("dialog")).toHaveTextContent("Mark the whole clause.");
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Close" }));
  await userEvent.keyboard("n");
  await screen.findByRole("region", { name: "Your edit" });
  await userEvent.keyboard("{Shift>}H{/Shift}");
  expect(screen.getByRole("dialog")).toHaveTextContent("Mark the whole clause.");
});
