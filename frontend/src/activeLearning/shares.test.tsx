import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { SharesFields } from "./SharesFields";
import { type Shares, sharesBody, sharesFaults } from "./shares";

const PEOPLE = ["a", "b", "c"];

it("sends nothing where whoever asks first answers, or where everybody answers everything", () => {
  expect(sharesBody(null, PEOPLE, 1)).toEqual({});
  expect(sharesBody({ a: "50" }, PEOPLE, 3)).toEqual({});
});

it("sends a part for everybody who annotates, and for nobody else", () => {
  expect(sharesBody({ a: "50", gone: "7" }, PEOPLE, 1)).toEqual({ shares: { a: 50, b: 1, c: 1 } });
});

it.each(["0", "1001", "1.5", "x", ""])("refuses %j", (typed) => {
  expect(sharesFaults({ a: typed }, PEOPLE, 1).shares).toHaveLength(1);
  expect(sharesFaults({ a: typed }, PEOPLE, 3)).toEqual({});
});

const NAMED = [
  { value: "a", text: "Anna" },
  { value: "b", text: "Ben" },
  { value: "c", text: "Cleo" },
];

function Shown() {
  const [shares, setShares] = useState<Shares>(null);
  const two = ["a", "b"];
  return <SharesFields people={NAMED} annotators={two} perItem={1} shares={shares} onShares={setShares} />;
}

it("says what part of all answers each has", async () => {
  render(<Shown />);
  expect(screen.queryByLabelText("Parts of Anna")).toBeNull();
  await userEvent.click(screen.getByLabelText("By shares"));
  const anna = screen.getByLabelText("Parts of Anna");
  await userEvent.clear(anna);
  await userEvent.type(anna, "3");
  expect(anna).toHaveAccessibleDescription("75.0 % of all answers");
  expect(screen.getByLabelText("Parts of Ben")).toHaveAccessibleDescription("25.0 % of all answers");
  expect(screen.queryByLabelText("Parts of Cleo")).toBeNull();
});
