import "fake-indexeddb/auto";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { FREE, spanAssignment } from "../../../test/spanFixtures";
import {
  announced,
  lines,
  missing,
  openPage,
  select,
  server,
  span,
  submitted,
  text,
  WAITED,
} from "../../../test/spanPage";

describe("the field's cases", () => {
  it("1: counts an emoji before a span as Python does", async () => {
    const { user } = await openPage(spanAssignment("a1", "Nice 👩‍🔬 work 🎉 but the grant was cut", FREE));
    select(24, 29);
    expect(screen.getByText("Mark “grant” as …")).toBeVisible();
    await user.keyboard("1{Enter}");
    expect(await submitted()).toEqual([span(24, 29, "grant", "a")]);
  });

  it("2: keeps Windows line ends, double spaces and tabs", async () => {
    const plain = "First point.\r\n\r\nSecond point: costs rise.";
    const { user } = await openPage(spanAssignment("a1", plain, FREE));
    expect(text().textContent).toBe(plain);
    select(30, 40);
    await user.keyboard("1{Enter}");
    expect(await submitted()).toEqual([span(30, 40, "costs rise", "a")]);
  });

  it("3: nested, crossing and identical spans stay as they are, forward and back, and after a deletion", async () => {
    const words = "One two three four five six seven eight.\nNext.";
    const { user } = await openPage(
      spanAssignment("a1", words, FREE),
      spanAssignment("a2", "Another text.", FREE),
    );
    const at = (from: string, to: string) => select(words.indexOf(from), words.indexOf(to) + to.length);
    at("One", "six");
    await user.keyboard("1mfirst{Escape}");
    at("two", "three");
    await user.keyboard("2msecond{Escape}");
    at("five", "eight");
    await user.keyboard("3");
    at("One", "six");
    await user.keyboard("4");
    at("Next", "Next");
    await user.keyboard("5");
    const all = [
      span(0, 27, "One two three four five six", "a", { comment: "first" }),
      span(0, 27, "One two three four five six", "d"),
      span(4, 13, "two three", "b", { comment: "second" }),
      span(19, 39, "five six seven eight", "c"),
      span(41, 45, "Next", "e"),
    ];
    await user.keyboard("{Enter}");
    expect(await submitted()).toEqual(all);
    for (let turn = 0; turn < 3; turn += 1) {
      await waitFor(() => expect(text().textContent).toBe("Another text."));
      await user.keyboard(",");
      await waitFor(() => expect(text().textContent).toBe(words));
      expect(lines()).toHaveLength(5);
      await user.keyboard(".");
    }
    await waitFor(() => expect(text().textContent).toBe("Another text."));
    await user.keyboard(",");
    await waitFor(() => expect(text().textContent).toBe(words));
    const reached = new Set<string>();
    for (let click = 0; click < 3; click += 1) {
      await user.click(screen.getByText(/^two three$/, { selector: ".piece" }));
      reached.add(
        screen.getByRole("button", { pressed: true, name: /^[A-E]: / }).getAttribute("data-name") ?? "",
      );
    }
    expect([...reached].sort()).toEqual(["A", "B", "D"]);
    await user.click(screen.getByRole("button", { name: /^A: One two/ }));
    await user.keyboard("{Delete}{Enter}");
    await waitFor(() => expect(server.posted).toHaveLength(2));
    expect(server.posted[1]?.body.spans).toEqual(all.slice(1));
    await waitFor(() => expect(text().textContent).toBe("Another text."));
    await user.keyboard(",");
    await waitFor(() => expect(text().textContent).toBe(words));
    await user.click(screen.getByRole("button", { name: "E: Next" }));
    await user.keyboard("{Delete}");
    expect(lines()).toHaveLength(3);
  });
});

describe("marking by keyboard alone", () => {
  it("moves by character and word, selects, marks, comments and submits", async () => {
    const { user } = await openPage(spanAssignment("a1", WAITED));
    expect(text()).toHaveFocus();
    await user.keyboard("{Shift>}{Control>}{ArrowRight}{/Control}{/Shift}");
    expect(announced()).toBe("Selected: They");
    await user.keyboard("{Home}{Shift>}{End}{/Shift}1");
    expect(announced()).toMatch(/^Marked Sentence: They agreed/);
    await user.keyboard("{Home}{Control>}{ArrowRight}{/Control}");
    expect(announced()).toBe("agreed");
    await user.keyboard("{Shift>}{Control>}{ArrowRight}{ArrowRight}{ArrowRight}{/Control}{/Shift}2");
    expect(announced()).toBe("Marked Act: agreed to wait");
    expect(missing()).toContain("Act “agreed to wait” needs a comment.");
    await user.keyboard("{Enter}");
    expect(
      screen.getByText("Not complete yet. Act “agreed to wait” needs a comment.", { selector: ".notice" }),
    ).toBeVisible();
    expect(server.posted).toEqual([]);
    await user.keyboard("g");
    expect(screen.getByRole("textbox", { name: /Comment \(needed\)/ })).toHaveFocus();
    await user.keyboard("waited 1n2{Escape}");
    expect(screen.queryByText(/^Not complete yet/, { selector: ".notice" })).toBeNull();
    await user.keyboard("{Enter}");
    expect(await submitted()).toEqual([
      span(0, 57, WAITED, "sentence"),
      span(5, 19, "agreed to wait", "act", { comment: "waited 1n2" }),
    ]);
  });

  it("selects whole words without the space around them, however the caret came there", async () => {
    const { user } = await openPage(spanAssignment("a1", WAITED, FREE));
    await user.keyboard("{ArrowRight>4/}{Shift>}{Control>}{ArrowRight}{/Control}{/Shift}");
    expect(document.getSelection()?.toString()).toBe("agreed");
    await user.keyboard("{Shift>}{Control>}{ArrowRight}{ArrowRight}{ArrowLeft}{/Control}{/Shift}");
    expect(document.getSelection()?.toString()).toBe("agreed to");
    await user.keyboard("1{Escape}{Escape}{Home}{Control>}{ArrowRight}{ArrowRight}{/Control}");
    await user.keyboard("{Shift>}{Control>}{ArrowLeft}{/Control}{/Shift}2");
    await user.keyboard("{Enter}");
    expect(await submitted()).toEqual([span(5, 14, "agreed to", "a"), span(5, 11, "agreed", "b")]);
  });

  it("goes left in a right-to-left line when the left arrow is pressed", async () => {
    const hebrew = "שלום עולם";
    const { user } = await openPage(spanAssignment("a1", hebrew, FREE));
    await user.keyboard("{Shift>}{Control>}{ArrowLeft}{/Control}{/Shift}1");
    await user.keyboard("{Enter}");
    expect(await submitted()).toEqual([span(0, 4, "שלום", "a")]);
  });

  it("leaves out white space that a selection takes along, and marks none alone", async () => {
    const { user } = await openPage(spanAssignment("a1", "They  agreed\n\nto wait.\n", FREE));
    select(4, 14);
    expect(screen.getByText("Mark “agreed” as …")).toBeVisible();
    await user.keyboard("1");
    expect(announced()).toBe("Marked A: agreed");
    select(12, 14);
    expect(screen.getByText("Only white space is selected: select some words.")).toBeVisible();
    await user.keyboard("2r");
    expect(announced()).toBe("Only white space is selected: select some words.");
    select(13, 23);
    await user.keyboard("r");
    expect(announced()).toBe("A is now: to wait.");
    await user.keyboard("{Enter}");
    expect(await submitted()).toEqual([span(14, 22, "to wait.", "a")]);
  });

  it("selects the text and nothing else by Ctrl+A, and cuts a selection that goes out of it", async () => {
    const { user } = await openPage(spanAssignment("a1", WAITED, FREE));
    select(0, 4);
    await user.keyboard("{Control>}a{/Control}");
    expect(document.getSelection()?.toString()).toBe(WAITED);
    await user.keyboard("1");
    expect(announced()).toMatch(/^Marked A: They agreed/);
    select(45, 51);
    const drag = (from: Node, to: Node) =>
      act(() => {
        document.getSelection()?.setBaseAndExtent(from, 0, to, 0);
        fireEvent(document, new Event("selectionchange"));
      });
    const inside = text().querySelector("[data-from]")?.firstChild as Node;
    drag(inside, screen.getByRole("list", { name: "Spans" }));
    expect(document.getSelection()?.toString()).toBe(WAITED);
    drag(screen.getByRole("banner"), inside);
    expect(screen.getByText(/^In hand: A/)).toBeVisible();
    select(5, 11);
    drag(screen.getByRole("banner"), screen.getByRole("group", { name: "Categories" }));
    await user.keyboard("2");
    expect(announced()).toMatch(/^Now B/);
  });

  it("moves ends by word to words' edges, by character wherever one wants, and shows what is stored", async () => {
    const { user } = await openPage(spanAssignment("a1", WAITED, FREE));
    select(5, 14);
    await user.keyboard("1o");
    expect(announced()).toBe("A is now: to");
    await user.keyboard("ulj");
    expect(announced()).toBe("A is now: agreed to");
    await user.keyboard("j");
    expect(announced()).toBe("A is now: agreed");
    await user.keyboard("{Shift>}L{/Shift}");
    expect(lines()[0]?.querySelector("q")?.textContent).toBe("agreed␣");
    expect(lines()[0]).toHaveTextContent("with white space after it");
    await user.keyboard("{Enter}");
    expect(await submitted()).toEqual([span(5, 12, "agreed ", "a")]);
  });

  it("walks the spans, moves ends by word and character, and takes another category", async () => {
    const { user } = await openPage(spanAssignment("a1", WAITED, FREE));
    select(5, 11);
    await user.keyboard("1");
    select(20, 22);
    await user.keyboard("2pl");
    expect(announced()).toBe("A is now: agreed to");
    await user.keyboard("{Shift>}J{/Shift}");
    expect(announced()).toBe("A is now: agreed t");
    await user.keyboard("u3");
    expect(announced()).toBe("Now C: They agreed t");
    await user.keyboard("n");
    expect(announced()).toBe("B, 2 of 2: so");
    select(23, 33);
    await user.keyboard("r");
    expect(announced()).toBe("B is now: that firms");
    await user.keyboard("{Enter}");
    expect(await submitted()).toEqual([span(0, 13, "They agreed t", "c"), span(23, 33, "that firms", "b")]);
  });

  it("undoes and does again, comments too, also from the comment box", async () => {
    const { user } = await openPage(spanAssignment("a1", WAITED, FREE));
    select(0, 4);
    await user.keyboard("1mtwo words");
    const box = screen.getByRole("textbox", { name: /Comment/ });
    await user.keyboard("{Control>}z{/Control}");
    expect(box).toHaveValue("two ");
    await user.keyboard("{Control>}zz{/Control}");
    expect(screen.getByText("Nothing is marked yet.")).toBeVisible();
    expect(text()).toHaveFocus();
    await user.keyboard("{Control>}y{Shift>}Z{/Shift}{/Control}");
    expect(screen.getByRole("textbox", { name: /Comment/ })).toHaveValue("two ");
  });
});

describe("typing a comment", () => {
  const box = () => screen.getByRole("textbox", { name: /Comment/ });
  const type = (value: string) => fireEvent.change(box(), { target: { value } });

  it("goes on behind what is written", async () => {
    const { user } = await openPage(spanAssignment("a1", WAITED, FREE));
    select(0, 4);
    await user.keyboard("1mwhy{Escape}m not");
    expect(box()).toHaveValue("why not");
  });

  it("changes its box alone, and the rest at a pause", async () => {
    const { user } = await openPage(spanAssignment("a1", WAITED));
    select(5, 11);
    await user.keyboard("2m");
    type("w");
    type("wa");
    expect(box()).toHaveValue("wa");
    expect(missing()).toContain("Act “agreed” needs a comment.");
    await waitFor(() => expect(missing()).not.toContain("Act “agreed” needs a comment."));
    expect(box()).toHaveValue("wa");
  });

  it("hands on what is held back before a click acts, wherever that leads", async () => {
    const { user } = await openPage(spanAssignment("a1", WAITED, FREE));
    select(0, 4);
    await user.keyboard("1");
    select(5, 11);
    await user.keyboard("2");
    type("went");
    type("went on");
    fireEvent.click(screen.getByRole("button", { name: /^A They/ }));
    expect(lines()[1]).toHaveTextContent("B agreedwent on");
    type("who");
    fireEvent.click(screen.getByRole("button", { name: /Undo/ }));
    expect(box()).toHaveValue("");
    fireEvent.click(screen.getByRole("button", { name: /Undo/ }));
    expect(box()).toHaveValue("went");
  });

  it("keeps what is held back when the page is left", async () => {
    const page = await openPage(spanAssignment("a1", WAITED, FREE));
    select(0, 4);
    await page.user.keyboard("1m");
    type("why");
    fireEvent(document, new Event("visibilitychange"));
    page.unmount();
    await openPage();
    expect(lines()[0]).toHaveTextContent("A Theywhy");
  });
});

describe("what is missing", () => {
  it("names the place, and takes it in hand", async () => {
    const { user } = await openPage(spanAssignment("a1", WAITED));
    expect(missing()).toContain("The text has no Sentence yet.");
    select(42, 57);
    await user.keyboard("1{Escape}");
    expect(missing()).toContain("Sentence “Later they met.” has no Act yet.");
    await user.keyboard("g");
    expect(screen.getByRole("button", { pressed: true, name: /^Sentence: Later/ })).toBeVisible();
    await user.click(screen.getByRole("button", { name: /Submit and next/ }));
    expect(server.posted).toEqual([]);
  });
});
