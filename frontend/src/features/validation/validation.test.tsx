import "fake-indexeddb/auto";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Answer, ME, PROJECT, roleOf, serve } from "../../test/admin";
import { axeFindings, renderApp } from "../../test/renderApp";
import {
  B,
  beside,
  column,
  DECIDED,
  decision,
  ITEM,
  itemPage,
  opened,
  SENTENCE,
  Server,
  span,
} from "../../test/validationPage";
import type { ItemPage } from "./api";
// The screen is loaded before the first test begins, which would wait for it else.
import "./index";

describe("the list", () => {
  it("is where an adjudicator begins, and says how far each item is", async () => {
    const asked = new Server().install();
    const { user, router } = renderApp("/projects/p1");
    expect(
      await screen.findByText(
        "1 ready to validate, 4 waiting for annotations, 1 decided: 1 accepted, 0 edited, 0 rejected.",
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
    await user.click(screen.getByRole("button", { name: "Decided (1)" }));
    await user.click(await screen.findByRole("button", { name: "Forward" }));
    await waitFor(() =>
      expect(asked.at(-1)?.path).toBe("/api/projects/p1/validation/?state=resolved&page=2"),
    );
  });

  it("is no screen of a project without spans, nor of an annotator", async () => {
    serve({
      "GET /api/me/": ME,
      "GET /api/projects/": [{ ...PROJECT, ...roleOf("adjudicator") }],
      "GET /api/projects/p1/waiting/": { to_validate: 0, to_decide: 0, to_agree: 0 },
      "GET /api/codebook-templates/": [],
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
    await user.keyboard("f");
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
    await user.keyboard("1{Enter}x");
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
    await user.keyboard("b");
    expect(panel()).toBeNull();
    await user.click(screen.getByRole("button", { name: /2 sources beside the text/ }));
    expect(panel()).toBeVisible();
  });

  it("have the same key while something is edited", async () => {
    const { user } = await opened(new Server(itemPage({ sources: SOURCES })));
    await user.keyboard("{Shift>}E{/Shift}");
    expect(panel()).toBeVisible();
    await user.keyboard("b");
    expect(panel()).toBeNull();
  });
});

describe("deciding", () => {
  it("takes no key of the labelling screen for a decision", async () => {
    const server = new Server();
    const { user } = await opened(server);
    await user.keyboard(
      "abcdefghijklmnopqrstuvwyz/{Escape}{Control>}z{/Control}{ArrowLeft}{ArrowRight},{Delete}",
    );
    await user.keyboard("123");
    expect(column("B").getByRole("button", { name: /^Accept B/ })).toHaveFocus();
    expect(server.posted).toEqual([]);
    expect(screen.queryByRole("region", { name: "Your edit" })).toBeNull();
  });

  it("accepts by key, and leads to the next one that is ready", async () => {
    const server = new Server();
    const { user, router } = await opened(server);
    await user.keyboard("2{Enter}");
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
    await user.type(dialog.getByLabelText("Why?"), "Cut off{Control>}{Enter}{/Control}");
    expect(await within(decision()).findByText("Rejected: Cut off")).toBeVisible();
    expect(server.posted).toMatchObject([{ decision: "rejected", reason: "Cut off" }]);
  });

  it("reopens, and says what had been decided", async () => {
    const server = new Server(itemPage({ state: "accepted", decision: DECIDED, revision: 1 }));
    const { user } = await opened(server);
    await user.keyboard("{Control>}z{/Control}");
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
    const settled = within(screen.getByRole("article", { name: "Decided" }));
    expect(settled.getByText("Cut rates")).toBeVisible();
    expect(column("A").getByText("revised since the decision")).toBeVisible();
  });

  it("keeps the same id for the same decision that is sent again", async () => {
    const server = new Server();
    const { user } = await opened(server);
    server.answer = new Answer(503, { detail: "The database does not answer. Try again in a moment." });
    await user.keyboard("1{Enter}");
    expect(await within(decision()).findByRole("alert")).toHaveTextContent("The database does not answer");
    await user.keyboard("1{Enter}");
    await within(decision()).findByText("Accepted: A.");
    const [first, second] = server.posted.map(({ client_id }) => client_id);
    expect(first).toBe(second);
  });

  it("loads anew what it did not know, and says so", async () => {
    const server = new Server();
    const { user } = await opened(server);
    server.answer = new Answer(409, { code: "stale", detail: "Somebody decided about this item." });
    server.page = itemPage({ state: "accepted", decision: DECIDED, revision: 1 });
    await user.keyboard("2{Enter}");
    expect(await within(decision()).findByText("Accepted: A.")).toBeVisible();
    expect(within(decision()).getByRole("alert")).toHaveTextContent("Somebody decided about this item.");
    await user.keyboard("2");
    expect(server.posted).toHaveLength(1);
  });
});

describe("a rejection that another decision came before", () => {
  async function overtaken(now: Partial<ItemPage>) {
    const server = new Server();
    const view = await opened(server);
    await view.user.keyboard("x");
    await view.user.type(within(screen.getByRole("dialog")).getByLabelText("Why?"), "Cut off");
    server.answer = new Answer(409, { code: "stale", detail: "Somebody decided about this item." });
    server.page = itemPage(now);
    await view.user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Reject all" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    return { server, ...view };
  }
  const ACCEPTED: Partial<ItemPage> = { state: "accepted", decision: DECIDED, revision: 1 };
  const waiting = () => within(decision()).queryByText(/You have a rejection here that was not stored/);

  it("is kept, and replaces what it did not know only once that is reopened", async () => {
    const { server, user } = await overtaken(ACCEPTED);
    expect(within(decision()).getByText("Accepted: A.")).toBeVisible();
    expect(within(decision()).getByRole("alert")).toHaveTextContent("Somebody decided about this item.");
    expect(waiting()).toHaveTextContent("“Cut off”. Reopen the item to go on with it, or drop it.");
    expect(await axeFindings()).toEqual([]);
    await user.keyboard("x");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(server.posted).toHaveLength(1);
    await user.keyboard("{Control>}z{/Control}");
    await within(decision()).findByText("Reopened. Before that: Accepted: A.");
    await user.keyboard("x");
    expect(within(screen.getByRole("dialog")).getByLabelText("Why?")).toHaveValue("Cut off");
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Reject all" }));
    expect(await within(decision()).findByText("Rejected: Cut off")).toBeVisible();
    expect(server.posted.at(-1)).toMatchObject({ decision: "rejected", reason: "Cut off", base_revision: 2 });
    expect(waiting()).toBeNull();
    expect(Object.keys(localStorage).filter((key) => key.includes(".rejection."))).toEqual([]);
  });

  it("is not sent again unseen where that was taken back", async () => {
    const { server, user } = await overtaken({ taken_back: DECIDED, revision: 2 });
    expect(within(decision()).getByText("Reopened. Before that: Accepted: A.")).toBeVisible();
    expect(waiting()).toHaveTextContent("“Cut off”. Go on with it by “Reject all”, or drop it.");
    await user.keyboard("x");
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Reject all" }));
    await within(decision()).findByText("Rejected: Cut off");
    expect(server.posted.at(-1)).toMatchObject({ decision: "rejected", base_revision: 2 });
  });

  it("is kept too where the dialog is left, until it is dropped", async () => {
    const { user } = await opened(new Server());
    await user.keyboard("x");
    await user.type(within(screen.getByRole("dialog")).getByLabelText("Why?"), "Cut off");
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(waiting()).toHaveTextContent("“Cut off”");
    await user.keyboard("x");
    expect(within(screen.getByRole("dialog")).getByLabelText("Why?")).toHaveValue("Cut off");
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Cancel" }));
    expect(waiting()).toBeNull();
  });

  it("survives a reload, and goes when it is dropped", async () => {
    const { server, unmount } = await overtaken(ACCEPTED);
    unmount();
    const { user } = await opened(server);
    await user.click(within(decision()).getByRole("button", { name: "Drop the rejection" }));
    expect(waiting()).toBeNull();
    await user.keyboard("{Control>}z{/Control}");
    await within(decision()).findByText("Reopened. Before that: Accepted: A.");
    await user.keyboard("x");
    expect(within(screen.getByRole("dialog")).getByLabelText("Why?")).toHaveValue("");
  });

  it("is none where one decided not to reject", async () => {
    const { user } = await opened(new Server());
    await user.keyboard("x");
    await user.type(within(screen.getByRole("dialog")).getByLabelText("Why?"), "Cut off");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await user.keyboard("1{Enter}");
    expect(await within(decision()).findByText("Accepted: A.")).toBeVisible();
    expect(waiting()).toBeNull();
  });
});

it("warns whoever annotated the item too that looking settles their own annotation", async () => {
  const words =
    "You answered this item yourself. Once you see the others' answers, you can no longer change your own.";
  const project = { ...PROJECT, ...roleOf("adjudicator"), has_spans: true };
  let settled = false;
  const asked = serve({
    "GET /api/me/": ME,
    "GET /api/projects/": [project],
    "GET /api/projects/p1/": project,
    "GET /api/projects/p1/validation/i1/": ({ path }: { path: string }) => {
      settled ||= path.endsWith("?own=locked");
      return settled ? itemPage() : new Answer(409, { code: "own_answer", detail: words });
    },
  });
  const { user } = renderApp(ITEM);
  expect(await screen.findByText(words)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Mine stays as it is: show the answers" }));
  expect(await screen.findByRole("article", { name: "Annotation A" })).toBeVisible();
  expect(asked.filter(({ path }) => path.includes("own=locked"))).toHaveLength(1);
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
  for (const words of [
    "Go to A; Enter accepts it",
    "Edit from nothing",
    "Reject all, with a reason",
    "Next item",
  ])
    expect(sheet.getByText(words)).toBeVisible();
});

it("shows the whole codebook by its key, while reading and while editing", async () => {
  const page = itemPage();
  page.codebook.definition.guidelines = "Mark the whole clause.";
  await opened(new Server(page));
  await userEvent.keyboard("{Shift>}H{/Shift}");
  expect(screen.getByRole("dialog")).toHaveTextContent("Mark the whole clause.");
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Close" }));
  await userEvent.keyboard("{Shift>}E{/Shift}");
  await screen.findByRole("region", { name: "Your edit" });
  await userEvent.keyboard("{Shift>}H{/Shift}");
  expect(screen.getByRole("dialog")).toHaveTextContent("Mark the whole clause.");
});
