import { expect, it } from "vitest";
import { shownQuote } from "./quote";

it("shows the white space that a quote begins or ends with, and its line breaks", () => {
  expect(shownQuote(" think")).toEqual({
    ...{ before: "␣", words: "think", after: "" },
    said: "white space before it",
  });
  expect(shownQuote("\tso\r\n")).toEqual({
    ...{ before: "⇥", words: "so", after: "↵" },
    said: "white space before and after it",
  });
  expect(shownQuote("one \n\n two  three")).toMatchObject({ words: "one ↵ two three", said: "" });
  expect(shownQuote("     x")).toMatchObject({ before: "␣␣␣…" });
  expect(shownQuote("\u00a0\n")).toEqual({
    before: "␣↵",
    words: "",
    after: "",
    said: "nothing but white space",
  });
  expect(shownQuote(`${"a".repeat(30)} `, 11)).toMatchObject({ words: "aaaa … aaaa", after: "␣" });
});
