import "fake-indexeddb/auto";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeServer } from "../../../test/fakeServer";
import { renderApp } from "../../../test/renderApp";
import { FREE, spanAssignment } from "../../../test/spanFixtures";
// The screen is loaded before the first test begins, which would wait for it else.
import "../index";

const COUNT = 240;
/** Words of four letters: the span at a place covers [5 * place, 5 * place + 4). */
const WORDS = Array.from({ length: COUNT }, (_, place) => `w${String(place).padStart(3, "0")}`);
const MARKS = WORDS.map((_, place) => ({
  ...{ start: 5 * place, end: 5 * place + 4 },
  ...{ category: "a", comment: "", source: null },
}));
let server: FakeServer;

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  server = new FakeServer();
  server.install();
});

/** All of them are marked; the first one is in hand. */
async function openLong() {
  server.assignments = [spanAssignment("a1", WORDS.join(" "), FREE, { marks: MARKS })];
  const page = renderApp("/projects/p1/label");
  await screen.findByTestId("span-text");
  await page.user.click(screen.getByRole("button", { name: "Start from the 240 imported marks" }));
  return page;
}

const list = () => screen.getByRole("list", { name: "Spans" });
const cards = () => [...list().querySelectorAll(".span-card")].map((card) => card.textContent ?? "");
const places = () =>
  within(list())
    .getAllByRole("listitem")
    .map((line) => Number(line.getAttribute("aria-posinset")));
const box = () => screen.getByRole("textbox", { name: /Comment/ });

function scrollList(top: number) {
  act(() => {
    list().scrollTop = top;
    fireEvent.scroll(list());
  });
}

/** What is stored of the spans that have a comment, and how many there are. */
async function submitted() {
  await waitFor(() => expect(server.posted).toHaveLength(1));
  const spans = server.posted[0]?.body.spans ?? [];
  return {
    count: spans.length,
    said: spans.flatMap(({ quote, comment }) => (comment ? [`${quote}: ${comment}`] : [])),
  };
}

describe("a list of more spans than are on the page", () => {
  it("has one card, of the span in hand, wherever that leads", async () => {
    const { user } = await openLong();
    await user.keyboard("ppmfrom the end{Escape}");
    expect(cards()).toHaveLength(1);
    expect(cards()[0]).toContain("w238");
    await user.click(screen.getByText("w120", { selector: ".piece" }));
    expect(cards()).toHaveLength(1);
    expect(cards()[0]).toContain("w120");
    expect(box()).toHaveValue("");
    await user.keyboard("min the middle{Escape}");
    await user.click(screen.getByText("w060", { selector: ".piece" }));
    await user.keyboard("{Delete}");
    expect(cards()).toHaveLength(1);
    expect(cards()[0]).toContain("w061");
    await user.keyboard("mnext to it{Escape}{Enter}");
    expect(await submitted()).toEqual({
      count: 239,
      said: ["w061: next to it", "w120: in the middle", "w238: from the end"],
    });
  });

  it("keeps the card, its box and the focus while the list is scrolled past it", async () => {
    const { user } = await openLong();
    await user.keyboard("pm");
    await user.keyboard("half a ");
    const typed = box();
    expect(places()).toContain(240);
    expect(places()).not.toContain(120);
    scrollList(64 * 119);
    expect(places()).toContain(120);
    expect(places()).toContain(240);
    scrollList(64 * 239);
    expect(box()).toBe(typed);
    expect(typed).toHaveFocus();
    await user.keyboard("word{Escape}{Enter}");
    expect(await submitted()).toEqual({ count: 240, said: ["w239: half a word"] });
  });

  it("leaves no line of one place at another, wherever the one in hand is", async () => {
    const { user } = await openLong();
    for (const held of ["w239", "w120", "w000"]) {
      await user.click(screen.getByText(held, { selector: ".piece" }));
      for (const top of [64 * 100, 64 * 20, 64 * 200, 0]) {
        scrollList(top);
        const shown = within(list()).getAllByRole("listitem");
        const said = shown.map((line) => /w\d{3}/.exec(line.textContent ?? "")?.[0]);
        expect(said).toEqual(places().map((place) => WORDS[place - 1]));
        expect(places()).toEqual([...new Set(places())].toSorted((a, b) => a - b));
        expect(cards()).toHaveLength(1);
        expect(cards()[0]).toContain(held);
      }
    }
  });
});
