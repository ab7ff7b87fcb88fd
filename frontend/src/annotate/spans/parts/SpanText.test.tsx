import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { seeded, someText } from "../../../test/random";
import { FREE } from "../../../test/spanFixtures";
import { laneCount } from "../model/segments";
import { textModel } from "../model/textModel";
import type { Drawn, Selection } from "../model/types";
import { placeOf, pointAt, selectionOnPage, selectOnPage } from "../places";
import { SpanText } from "./SpanText";

vi.mock("../model/segments", async (original) => {
  const real = await original<typeof import("../model/segments")>();
  return { ...real, laneCount: vi.fn(real.laneCount) };
});

function drawn(id: number, start: number, end: number, category = "a"): Drawn {
  return { id, start, end, category };
}

function Readable({ text, spans }: { text: string; spans: Drawn[] }) {
  const [model] = useState(() => textModel(text));
  const [selectedId, setSelectedId] = useState<number | null>(null);
  const shared = { model, layer: FREE, spans, selectedId, onSelectSpan: setSelectedId };
  return (
    <>
      <SpanText {...shared} label="Text" />
      <p data-testid="in-hand">{String(selectedId)}</p>
    </>
  );
}

const text = () => screen.getByTestId("span-text");
const selectedId = () => screen.getByTestId("in-hand").textContent;

describe("a text with spans", () => {
  it("holds the text exactly and nothing besides, whatever is marked", () => {
    const random = seeded(21);
    for (let round = 0; round < 15; round += 1) {
      const words = someText(random, 120);
      const { length } = [...words];
      const spans = Array.from({ length: length > 4 ? 6 : 0 }, (_, id) =>
        drawn(id, Math.floor(random() * (length - 2)), length - Math.floor(random() * 2)),
      );
      const view = render(<Readable text={words} spans={spans} />);
      expect(text().textContent).toBe(words);
      view.unmount();
    }
  });

  it("finds every place again", () => {
    const words = "Nice 👩‍🔬 work\r\n\r\n  cut\tשלום";
    render(<Readable text={words} spans={[drawn(1, 2, 9), drawn(2, 7, 14), drawn(3, 12, 20)]} />);
    const model = textModel(words);
    for (let point = 0; point <= model.points.length; point += 1) {
      const place = placeOf(text(), model, point);
      expect(place && pointAt(text(), model, place), `point ${point}`).toBe(point);
    }
    expect(pointAt(text(), model, { node: text(), offset: 0 })).toBe(0);
    expect(pointAt(text(), model, { node: text(), offset: text().childNodes.length })).toBe(
      model.points.length,
    );
    expect(pointAt(text(), model, { node: document.body, offset: 0 })).toBeNull();
  });

  it("selects on the page, either way round", () => {
    render(<Readable text={"one two\nthree"} spans={[drawn(1, 4, 7)]} />);
    const model = textModel("one two\nthree");
    const there: Selection[] = [
      { anchor: 2, head: 10 },
      { anchor: 10, head: 2 },
    ];
    for (const selection of there) {
      selectOnPage(text(), model, selection);
      expect(selectionOnPage(text(), model)).toEqual(selection);
    }
    expect(document.getSelection()?.toString()).toContain("e two");
  });

  it("names each span at its start, and takes it in hand there", async () => {
    render(<Readable text="one two three" spans={[drawn(1, 0, 13), drawn(2, 4, 7, "b")]} />);
    const label = screen.getByRole("button", { name: "B: two" });
    expect(label).toHaveAttribute("data-name", "B");
    await userEvent.click(label);
    expect(selectedId()).toBe("2");
    expect(label).toHaveAttribute("aria-pressed", "true");
  });

  it("goes round the spans that share a place, click by click, and lets go where there is none", async () => {
    render(
      <Readable text="one two three" spans={[drawn(1, 0, 7), drawn(2, 4, 7, "b"), drawn(3, 4, 7, "c")]} />,
    );
    const shared = screen.getByText("two");
    const seen: (string | null)[] = [];
    for (let click = 0; click < 4; click += 1) {
      await userEvent.click(shared);
      seen.push(selectedId());
    }
    expect(seen).toEqual(["2", "3", "1", "2"]);
    await userEvent.click(screen.getByText("three", { exact: false }));
    expect(selectedId()).toBe("null");
  });

  it("draws a lane for each of the spans over a place", () => {
    render(<Readable text="one two three" spans={[drawn(1, 0, 7), drawn(2, 4, 13, "b")]} />);
    const image = screen.getByText("two").style.backgroundImage;
    expect(image.match(/var\(--span-blue\), var\(--span-blue\)/g)).toHaveLength(1);
    expect(image.match(/linear-gradient/g)).toHaveLength(2);
    expect(screen.getByText("two")).toHaveStyle({ "--lanes": "2" });
  });

  it("has no finding of axe", async () => {
    const { container } = render(<Readable text={"one\ntwo"} spans={[drawn(1, 0, 5)]} />);
    const { violations } = await axe.run(container, { rules: { "color-contrast": { enabled: false } } });
    expect(violations).toEqual([]);
  });
});

describe("one change in a long text", () => {
  it("draws only the blocks that it touches again", () => {
    const lines = Array.from({ length: 400 }, (_, at) => `Line ${at} says something.`);
    const model = textModel(lines.join("\n"));
    const spans = model.blocks.flatMap(({ start }, at) => [
      drawn(2 * at, start, start + 6),
      drawn(2 * at + 1, start, start + 4),
    ]);
    const shared = { model, layer: FREE, selectedId: null, label: "Text" };
    const view = render(<SpanText {...shared} spans={spans} />);
    vi.mocked(laneCount).mockClear();
    const before = text().querySelectorAll(".piece").length;
    const tenth = model.blocks[10]?.start ?? 0;
    const more = [...spans, drawn(9_999, tenth + 8, tenth + 12, "b")];
    view.rerender(<SpanText {...shared} spans={more} />);
    expect(text().querySelectorAll(".piece").length).toBe(before + 2);
    // Each drawing of a block counts its lanes once.
    expect(vi.mocked(laneCount).mock.calls).toHaveLength(1);
    vi.mocked(laneCount).mockClear();
    view.rerender(<SpanText {...shared} spans={more} selectedId={40} />);
    expect(vi.mocked(laneCount).mock.calls).toHaveLength(1);
    expect(screen.getAllByRole("button", { pressed: true })).toHaveLength(1);
  });
});
