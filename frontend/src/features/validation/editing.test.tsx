import "fake-indexeddb/auto";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { Answer } from "../../test/admin";
import { inAnotherTab } from "../../test/keptElsewhere";
import { axeFindings } from "../../test/renderApp";
import {
  B,
  column,
  DECIDED,
  decision,
  itemPage,
  opened,
  SENTENCE,
  Server,
  span,
} from "../../test/validationPage";
import { type EditDraft, EditDrafts } from "./model/drafts";

const keptEdits = () => Object.keys(localStorage).filter((key) => key.includes(".validation."));
const edit = () => screen.getByRole("region", { name: "Your edit" });
const store = () => within(edit()).getByRole("button", { name: /^Store/ });

describe("editing", () => {
  it("starts from an annotation, and stores what was made of it", async () => {
    const server = new Server();
    const { user } = await opened(server);
    await user.keyboard("2e");
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
    expect(screen.getByRole("article", { name: "Decided" })).toBeVisible();
    expect(keptEdits()).toEqual([]);
  });

  it("takes over a single span of another annotation, by button and by key, with its comment", async () => {
    const server = new Server();
    const { user } = await opened(server);
    expect(screen.queryByRole("button", { name: /^Take over/ })).toBeNull();
    await user.keyboard("1e");
    expect(within(edit()).queryByRole("button", { name: "Motive: trade fell" })).toBeNull();
    await user.click(column("B").getByRole("button", { name: "Take over Motive: trade fell" }));
    expect(within(edit()).getByRole("button", { name: "Motive: trade fell" })).toBeVisible();
    // Once more: it is there already.
    await user.click(column("B").getByRole("button", { name: "Take over Motive: trade fell" }));
    expect(screen.getByRole("status", { name: "Announcements" })).toHaveTextContent(
      /^Your edit has it already/,
    );
    await user.keyboard("{Control>}z{/Control}");
    expect(within(edit()).queryByRole("button", { name: "Motive: trade fell" })).toBeNull();
    // By key, from the line that has the focus.
    const line = column("B").getAllByRole("button", { name: /Motive.*trade fell/ });
    line.find((each) => each.matches(".beside-line"))?.focus();
    await user.keyboard("y");
    expect(within(edit()).getByRole("button", { name: "Motive: trade fell" })).toBeVisible();
    await user.click(store());
    expect(await within(decision()).findByText("Edited, from A.")).toBeVisible();
    expect(server.posted[0]?.spans.map(({ quote }) => quote)).toEqual([
      SENTENCE.quote,
      "eased",
      "trade fell",
    ]);
  });

  it("does not store what is not complete, and says what is missing", async () => {
    const server = new Server();
    const { user } = await opened(server);
    await user.keyboard("{Shift>}E{/Shift}");
    expect(within(edit()).getByRole("heading", { name: "Your edit, from nothing" })).toBeVisible();
    await user.keyboard("{Enter}");
    expect(within(edit()).getAllByText(/The text has no Sentence yet/).length).toBeGreaterThan(0);
    expect(server.posted).toEqual([]);
  });

  it("survives a reload, and a send that failed", async () => {
    const server = new Server();
    const first = await opened(server);
    await first.user.keyboard("1e");
    await first.user.click(within(edit()).getByRole("button", { name: "Act: eased" }));
    await first.user.type(within(edit()).getByLabelText(/^Comment/), " twice");
    // A browser says so to a page that it leaves.
    fireEvent(document, new Event("visibilitychange"));
    first.unmount();
    expect(keptEdits()).toEqual(["quorum.kept.u1.validation.i1"]);

    const { user } = await opened(server);
    expect(within(edit()).getByRole("heading", { name: "Your edit, from A" })).toBeVisible();
    server.answer = new Answer(503, { detail: "The database does not answer. Try again in a moment." });
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

  it("goes on with what another tab made of it", async () => {
    const { user } = await opened(new Server());
    await user.keyboard("1e");
    await user.click(within(edit()).getByRole("button", { name: "Act: eased" }));
    await user.type(within(edit()).getByLabelText(/^Comment/), " once");
    const there = new EditDrafts("u1");
    const ours = there.get("i1") as EditDraft;
    const marks = ours.marks.map((mark) => (mark.comment ? { ...mark, comment: "Said there" } : mark));
    inAnotherTab(() => there.keep("i1", { ...ours, marks }));
    expect(within(edit()).getByText(/You changed this edit in another tab/)).toBeVisible();
    expect(within(edit()).getByText("Said there")).toBeVisible();
    inAnotherTab(() => there.drop("i1"));
    expect(
      within(decision()).getByText(/stored or dropped your edit of this item in another tab/),
    ).toBeVisible();
    expect(keptEdits()).toEqual([]);
  });

  it("waits where the item was settled meanwhile, and goes on once it is reopened", async () => {
    const server = new Server();
    const { user } = await opened(server);
    await user.keyboard("2e");
    await user.click(within(edit()).getByRole("button", { name: "Motive: trade fell" }));
    await user.keyboard("{Delete}");
    server.answer = new Answer(409, { code: "stale", detail: "Somebody decided about this item." });
    server.page = itemPage({ state: "accepted", decision: DECIDED, revision: 1 });
    await user.click(store());
    expect(await within(decision()).findByText(/You have an edit here that was not stored/)).toBeVisible();
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(() => expect(edit()).toBeVisible());
    expect(within(edit()).queryByRole("button", { name: "Motive: trade fell" })).toBeNull();
    await user.click(store());
    await within(decision()).findByText("Edited, from B.");
    expect(server.posted.at(-1)).toMatchObject({ decision: "edited", base_revision: 2 });
  });

  it("asks before a changed edit is dropped, and drops an unchanged one at once", async () => {
    const { user } = await opened(new Server());
    await user.keyboard("2e");
    await user.keyboard("x");
    expect(screen.queryByRole("region", { name: "Your edit" })).toBeNull();
    await user.keyboard("2e");
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
    await user.keyboard("2e");
    expect(within(edit()).getByText(/cannot keep the edit over a reload/)).toBeVisible();
    vi.restoreAllMocks();
  });
});
