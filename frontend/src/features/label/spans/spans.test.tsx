import "fake-indexeddb/auto";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { STAGES } from "../../../test/fixtures";
import { axeFindings, renderApp } from "../../../test/renderApp";
import { FREE, LAYER, spanAssignment } from "../../../test/spanFixtures";
import {
  lines,
  missing,
  openPage,
  select,
  server,
  span,
  status,
  submitted,
  text,
  WAITED,
} from "../../../test/spanPage";
// The screen is loaded before the first test begins, which would wait for it else.
import "../index";

describe("beside the spans", () => {
  it("keeps a draft over a reload", async () => {
    const page = await openPage(spanAssignment("a1", WAITED));
    select(0, 4);
    await page.user.keyboard("3mwhy{Escape}");
    page.unmount();
    await openPage();
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toHaveTextContent("Motive Theynot complete why");
  });

  it("shows what differs where the server has other spans", async () => {
    const { user } = await openPage(spanAssignment("a1", WAITED, FREE), spanAssignment("a2", "Other.", FREE));
    const first = server.assignments[0];
    if (!first) throw new Error("no assignment");
    const theirs = { revision: 1, answers: {}, comment: "", skip_reason: null };
    const spans = [span(0, 4, "They", "a"), span(5, 11, "agreed", "b")];
    server.assignments[0] = { ...first, current: { ...theirs, spans, context_opened: "sentence" } };
    select(0, 4);
    await user.keyboard("1{Enter}");
    await waitFor(() => expect(status()).toBe("Not sent: 1 needs your decision"));
    await user.click(screen.getByRole("button", { name: "Decide" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByText("1 span, 0 of them only here")).toBeVisible();
    expect(dialog.getByText("2 spans, 1 of them only here")).toBeVisible();
    expect(dialog.getByText("agreed")).toBeVisible();
  });

  it("counts the spans in the list of own answers", async () => {
    const page = await openPage(spanAssignment("a1", WAITED, FREE), spanAssignment("a2", "Other.", FREE));
    select(0, 4);
    await page.user.keyboard("1{Enter}");
    await waitFor(() => expect(status()).toBe("All saved"));
    page.unmount();
    renderApp("/projects/p1/answers");
    expect(await screen.findByText("1 span")).toBeVisible();
  });

  it("skips without spans, and takes a comment on the whole", async () => {
    const { user } = await openPage(spanAssignment("a1", WAITED), spanAssignment("a2", "Other."));
    select(0, 4);
    await user.keyboard("3{Shift>}M{/Shift}odd text{Escape}x");
    await user.click(screen.getByRole("radio", { name: "The codebook does not cover it" }));
    await user.click(screen.getByRole("button", { name: "Skip and next" }));
    expect(await submitted()).toEqual([]);
    expect(server.posted[0]?.body).toMatchObject({ comment: "odd text", answers: {} });
  });

  it("makes no revision of spans that stay as they are", async () => {
    const { user } = await openPage(spanAssignment("a1", WAITED, FREE), spanAssignment("a2", "Other.", FREE));
    select(0, 4);
    await user.keyboard("1{Enter}");
    await waitFor(() => expect(status()).toBe("All saved"));
    await user.keyboard(",");
    await waitFor(() => expect(text().textContent).toBe(WAITED));
    expect(screen.getByRole("button", { name: /^Go on/ })).toBeVisible();
    await user.keyboard("n2");
    expect(screen.getByRole("button", { name: /Submit change/ })).toBeVisible();
    await user.keyboard("1{Enter}");
    await waitFor(() => expect(text().textContent).toBe("Other."));
    expect(server.posted).toHaveLength(1);
  });

  it("takes imported marks over as the person's own, once they are asked for", async () => {
    const marks = [{ start: 5, end: 11, category: "a", comment: "theirs", source: null }];
    const { user } = await openPage(spanAssignment("a1", WAITED, FREE, { marks }));
    expect(screen.getByText("Nothing is marked yet.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Start from the 1 imported mark" }));
    expect(lines()).toHaveLength(1);
    await user.keyboard("{Control>}z{/Control}");
    expect(screen.getByText("Nothing is marked yet.")).toBeVisible();
  });

  it("starts from imported marks by key: the outer one is listed first and in hand, and the text keeps the focus", async () => {
    const mark = (start: number, end: number, category: string) => ({
      ...{ start, end, category, comment: "", source: null },
    });
    const marks = [mark(5, 11, "b"), mark(5, 19, "a"), mark(20, 22, "c")];
    const { user } = await openPage(spanAssignment("a1", WAITED, FREE, { marks }));
    await user.keyboard("?");
    const sheet = within(screen.getByRole("dialog", { name: "Keys" }));
    const said = sheet.getByText("Start from the imported marks").closest("li");
    expect(said).toHaveTextContent("i: Start from the imported marks");
    await user.click(sheet.getByRole("button", { name: "Close" }));
    await user.keyboard("i");
    expect(text()).toHaveFocus();
    expect(lines().map((line) => /^[A-E] \w+/.exec(line.textContent ?? "")?.[0])).toEqual([
      "A agreed",
      "B agreed",
      "C so",
    ]);
    expect(lines()[0]).toHaveAttribute("aria-current", "true");
    await user.keyboard("{Control>}z{/Control}");
    await user.click(screen.getByRole("button", { name: "Start from the 3 imported marks" }));
    expect(text()).toHaveFocus();
  });

  it("asks questions too where the codebook has both, with keys of their own", async () => {
    const definition = { name: "Both", stages: STAGES.slice(0, 1), learning: null, span_layer: FREE };
    const codebook = { id: "both", version: 1, definition };
    const { user } = await openPage(spanAssignment("a1", WAITED, FREE, {}, { codebook }));
    select(0, 4);
    await user.keyboard("1q{Enter}");
    expect(await submitted()).toEqual([span(0, 4, "They", "a")]);
    expect(server.posted[0]?.body.answers).toEqual({ opinion: "yes" });
  });

  it("says every key, and has no finding of axe", async () => {
    const { user } = await openPage(spanAssignment("a1", WAITED));
    select(5, 19);
    await user.keyboard("2h");
    expect(screen.getByText(/^Exactly one in every Sentence/)).toBeVisible();
    expect(await axeFindings()).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Read the whole codebook" }));
    const codebook = screen.getByRole("dialog", { name: "Spans, version 1" });
    expect(within(codebook).getByText("Motive")).toBeVisible();
    await user.click(within(codebook).getByRole("button", { name: "Close" }));
    await user.keyboard("?");
    const dialog = within(screen.getByRole("dialog", { name: "Keys" }));
    expect(dialog.getByText("Delete it").closest("li")).toHaveTextContent("delete or backspace: Delete it");
    expect(dialog.getByText("Select to a word right")).toBeVisible();
    expect(await axeFindings()).toEqual([]);
  });
});

it("lists every key with nothing in hand, and says when it acts", async () => {
  const { user } = await openPage(spanAssignment("a1", WAITED));
  await user.keyboard("?");
  const line = (words: string) =>
    screen.getByText(words, { selector: "[role=dialog] *, dialog *" }).closest("li");
  expect(line("Write its comment")).toHaveTextContent("m: Write its comment with a span in hand");
  expect(line("Delete it")).toHaveTextContent("delete or backspace: Delete it with a span in hand");
  expect(line("Move it to the selection")).toHaveTextContent("with a span in hand and words selected");
  expect(line("Next span")).toHaveTextContent(/^n.*Next span$/);
});

describe("the codebook", () => {
  it("is read with its guidelines by a key that the foot of the page prints", async () => {
    const definition = { name: "Spans", guidelines: "Mark the whole clause.", stages: [], span_layer: LAYER };
    const codebook = { id: "spans", version: 1, definition };
    const { user } = await openPage(spanAssignment("a1", WAITED, LAYER, {}, { codebook }));
    const button = screen.getByRole("button", { name: "Codebook" });
    expect(button.querySelector(".key")).toHaveTextContent("⇧");
    await user.keyboard("{Shift>}H{/Shift}");
    expect(screen.getByRole("dialog")).toHaveTextContent("Mark the whole clause.");
  });
});

describe("sources", () => {
  const SOURCES = [
    { id: "s1", external_id: "pr-1", title: "Minutes, 18 March", n_words: 4 },
    { id: "s2", external_id: "pr-2", title: "", n_words: 3 },
  ];
  const TEXTS = [
    { ...SOURCES[0], text: "Rates were held. Rates\nmay rise." },
    { ...SOURCES[1], text: "Another one." },
  ];

  it("links a reference to the only one at once, and shows it beside the text", async () => {
    server.sources = TEXTS.slice(0, 1);
    const { user } = await openPage(spanAssignment("a1", WAITED, LAYER, { sources: SOURCES.slice(0, 1) }));
    const panel = within(await screen.findByRole("complementary", { name: "Sources" }));
    expect(await panel.findByText(/Rates were held/)).toBeVisible();
    select(42, 47);
    await user.keyboard("4");
    expect(screen.getByRole("radio", { name: "Minutes, 18 March" })).toBeChecked();
    await user.keyboard("b");
    expect(screen.queryByRole("complementary", { name: "Sources" })).toBeNull();
  });

  it("asks which of several is meant, and leads to it", async () => {
    server.sources = TEXTS;
    const { user } = await openPage(spanAssignment("a1", WAITED, LAYER, { sources: SOURCES }));
    select(42, 47);
    await user.keyboard("4");
    expect(missing()).toContain("Say which source document Reference “Later” means.");
    await user.click(screen.getByRole("radio", { name: "pr-2" }));
    expect(missing()).not.toContain("Say which source");
    await user.click(text());
    select(0, 0);
    await user.keyboard("n{Shift>}B{/Shift}");
    expect(await screen.findByText("Another one.")).toBeVisible();
    expect(screen.getByRole("tab", { name: "pr-2" })).toHaveAttribute("aria-selected", "true");
    expect(await axeFindings()).toEqual([]);
  });

  it("are chosen by key; letters choose none, and Esc leads back to the text", async () => {
    server.sources = TEXTS;
    const { user } = await openPage(spanAssignment("a1", WAITED, LAYER, { sources: SOURCES }));
    const chosen = () => screen.getByRole("radio", { checked: true });
    select(0, 57);
    await user.keyboard("1");
    select(42, 47);
    await user.keyboard("4d");
    expect(chosen()).toHaveFocus();
    await user.keyboard("pmn");
    expect(chosen()).toBe(screen.getByRole("radio", { name: "not said yet" }));
    await user.keyboard("{Escape}");
    expect(text()).toHaveFocus();
    await user.keyboard("d2");
    expect(chosen()).toBe(screen.getByRole("radio", { name: "pr-2" }));
    expect(text()).toHaveFocus();
    await user.keyboard("d{ArrowUp}{Enter}");
    expect(chosen()).toBe(screen.getByRole("radio", { name: "Minutes, 18 March" }));
    expect(text()).toHaveFocus();
    await user.keyboard("d{Control>}z{/Control}");
    expect(chosen()).toBe(screen.getByRole("radio", { name: "pr-2" }));
    await user.keyboard("{Escape}?");
    const sheet = within(screen.getByRole("dialog", { name: "Keys" }));
    expect(sheet.getByText("Choose its source").closest("li")).toHaveTextContent("d: Choose its source");
    expect(server.posted).toEqual([]);
  });

  it("are searched, with white space standing for any", async () => {
    server.sources = TEXTS;
    const { user } = await openPage(spanAssignment("a1", WAITED, LAYER, { sources: SOURCES }));
    await screen.findByText(/Rates were held/);
    await user.keyboard("/rates");
    expect(screen.getByText("1 of 2")).toBeVisible();
    await user.keyboard("{Enter}");
    expect(screen.getByText("2 of 2")).toBeVisible();
    await user.keyboard("{Enter}");
    expect(screen.getByText("1 of 2")).toBeVisible();
    await user.keyboard(" may");
    expect(screen.getByText("1 of 1")).toBeVisible();
    await user.keyboard("x");
    expect(screen.getByText("Not found")).toBeVisible();
    await user.keyboard("{Escape}");
    expect(text()).toHaveFocus();
  });
});
