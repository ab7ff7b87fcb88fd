import { afterEach, expect, it } from "vitest";
import { characterKeys, keyAsPressed, namesThatAct, setCharacterKeys } from "./characterKeys";
import { type Action, actionFor } from "./registry";

afterEach(() => setCharacterKeys("on"));

function pressed(init: KeyboardEventInit): string | undefined {
  const actions: Action[] = ["q", "shift+x", "?", "1", "enter", "ctrl+z"].map((key) => ({
    id: key,
    label: key,
    group: "",
    key,
    isEnabled: () => true,
    run: () => {},
  }));
  return actionFor(new KeyboardEvent("keydown", init), actions)?.id;
}

const Q = { key: "q", code: "KeyQ" };
const ENTER = { key: "Enter", code: "Enter" };
const UNDO = { key: "z", code: "KeyZ", ctrlKey: true };

it("acts on single characters by default, and not with Alt", () => {
  expect([pressed(Q), pressed({ ...Q, altKey: true }), pressed(ENTER)]).toEqual(["q", undefined, "enter"]);
});

it("asks for Alt where the person chose so", () => {
  setCharacterKeys("alt");
  expect([pressed(Q), pressed({ ...Q, altKey: true })]).toEqual([undefined, "q"]);
  expect(pressed({ key: "X", code: "KeyX", shiftKey: true, altKey: true })).toBe("shift+x");
  expect([pressed(ENTER), pressed(UNDO)]).toEqual(["enter", "ctrl+z"]);
});

it("switches single characters off, and keeps the others", () => {
  setCharacterKeys("off");
  expect([pressed(Q), pressed({ ...Q, altKey: true }), pressed({ key: "1", code: "Digit1" })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([pressed(ENTER), pressed(UNDO)]).toEqual(["enter", "ctrl+z"]);
});

it("is kept in the browser and prints keys as they are pressed", () => {
  setCharacterKeys("alt");
  expect(characterKeys()).toBe("alt");
  expect([keyAsPressed("q", "alt"), keyAsPressed("enter", "alt"), keyAsPressed("shift+x", "off")]).toEqual([
    "alt+q",
    "enter",
    null,
  ]);
  expect(namesThatAct(["shift+arrowleft", "arrowleft"], "off")).toEqual(["shift+arrowleft", "arrowleft"]);
});
