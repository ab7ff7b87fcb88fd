import { expect, it } from "vitest";
import { valueWords } from "./MetaList";

it.each([
  ["left", "left"],
  [-3.5, "−3.5"],
  [true, "yes"],
  [false, "no"],
  [null, "–"],
  ["", "–"],
  [["tax", 2, null], "tax, 2, –"],
  [[], "–"],
  [{ a: 1 }, '{"a":1}'],
  [[{ a: 1 }], '[{"a":1}]'],
])("shows %o as %s", (value, words) => expect(valueWords(value)).toBe(words));
