import { expect, it } from "vitest";
import FORMULAS from "../test/formulas.json";
import { csv, neutral } from "./csv";

it.each(FORMULAS.run)("puts an apostrophe before %j, as the server does", (text) => {
  expect(neutral(text)).toBe(`'${text}`);
});

it.each(FORMULAS.plain)("leaves %j as it is", (text) => {
  expect(neutral(text)).toBe(text);
});

it("quotes what would end a cell", () => {
  expect(csv([["a", 'say "x",\n', -1]])).toBe('a,"say ""x"",\n",-1\r\n');
});
