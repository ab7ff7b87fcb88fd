import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import type { LabelDefinition } from "../../api/types";
import { axeFindings } from "../../test/renderApp";
import { Options } from "./Options";

function topics(n: number): LabelDefinition[] {
  return Array.from({ length: n }, (_, place) => ({
    key: `t${place + 1}`,
    name: place === 41 ? "Pensions" : place === 42 ? "Pénsion funds" : `Topic ${place + 1}`,
    help: place === 6 ? "What retired people live on: pensions too." : "",
  }));
}

function Question({ n }: { n: number }) {
  const [answer, setAnswer] = useState<string>();
  const labels = topics(n);
  return (
    <main>
      <fieldset tabIndex={-1} aria-label="Topic">
        <Options
          labels={labels}
          keys={labels.map((_, place) => (place === 0 ? "q" : null))}
          chosen={answer === undefined ? [] : [answer]}
          isCurrent
          onChoose={setAnswer}
        />
        <output>{answer ?? "none"}</output>
      </fieldset>
    </main>
  );
}

const box = () => screen.getByRole("searchbox");
const names = () => screen.getAllByRole("button").map((button) => button.textContent);
const answered = () => document.querySelector("output")?.textContent;

describe.each([56, 300])("%i labels", (n) => {
  it("are filtered by words, with accents or without, by name before help; Enter takes the first", async () => {
    const user = userEvent.setup();
    render(<Question n={n} />);
    expect(screen.getAllByRole("button")).toHaveLength(n);
    expect(await axeFindings()).toEqual([]);
    await user.type(box(), "PENSION");
    expect(names()).toEqual(["Pensions", "Pénsion funds", "Topic 7"]);
    await user.keyboard("{Enter}");
    expect(answered()).toBe("t42");
    await user.clear(box());
    await user.type(box(), "nothing like it{Enter}");
    expect(screen.queryAllByRole("button")).toEqual([]);
    expect(screen.getByText("No answer holds these words.")).toBeVisible();
    expect(answered()).toBe("t42");
  });

  it("are all reached by arrows, the last too, and Escape leads back", async () => {
    const user = userEvent.setup();
    render(<Question n={n} />);
    box().focus();
    await user.keyboard(`{ArrowDown>${n}}{/ArrowDown}`);
    expect(screen.getByRole("button", { name: `Topic ${n}` })).toHaveFocus();
    await user.keyboard("{ArrowDown}{Enter}");
    expect(answered()).toBe(`t${n}`);
    await user.keyboard(`{ArrowUp>${n}}{/ArrowUp}`);
    expect(box()).toHaveFocus();
    await user.keyboard("pens{ArrowDown}{ArrowDown}{Escape}");
    expect(box()).toHaveFocus();
    await user.keyboard("{Escape}");
    expect(box()).toHaveValue("");
    expect(screen.getByRole("group", { name: "Topic" })).toHaveFocus();
  });
});

it("has no box for twenty labels, and takes nothing without a word", async () => {
  const { rerender } = render(<Question n={20} />);
  expect(screen.queryByRole("searchbox")).toBeNull();
  rerender(<Question n={21} />);
  await userEvent.type(box(), "{Enter}");
  expect(answered()).toBe("none");
  await userEvent.type(box(), "   {Enter}");
  expect(answered()).toBe("none");
});

it("shows a label's colour beside its name, which alone says what it is", () => {
  const labels: LabelDefinition[] = [
    { key: "yes", name: "Yes", color: "teal" },
    { key: "no", name: "No" },
  ];
  render(<Options labels={labels} keys={[null, null]} chosen={[]} isCurrent onChoose={() => undefined} />);
  const [yes, no] = ["Yes", "No"].map((name) => screen.getByRole("button", { name }));
  expect(yes?.querySelector(".color-mark")).toHaveAttribute("style", "background: var(--span-teal);");
  expect(yes?.querySelector(".color-mark")).toHaveAttribute("aria-hidden", "true");
  expect(no?.querySelector(".color-mark")).toBeNull();
});
