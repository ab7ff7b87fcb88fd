// @vitest-environment jsdom
import { afterEach, describe, expect, it } from "vitest";
import { setCharacterKeys } from "./characterKeys";
import { bound, keyToGive, ownKeys, setOwnKeys, withKey } from "./ownKeys";
import { type Action, actionFor } from "./registry";

function action(id: string, key: string | null): Action {
  return { id, label: id, group: "", key, isEnabled: () => true, run: () => {} };
}

const ACTIONS = [action("yes", "q"), action("no", "w"), action("skip", "x"), action("rare", null)];

const keysOf = (own: Record<string, string>) =>
  Object.fromEntries(bound(ACTIONS, own).map(({ id, key }) => [id, key]));

afterEach(() => {
  setOwnKeys({});
  setCharacterKeys("on");
});

describe("bound", () => {
  it("gives a command its own key, also one that had none", () => {
    expect(keysOf({ skip: "k", rare: "f2" })).toEqual({ yes: "q", no: "w", skip: "k", rare: "f2" });
  });

  it("lets a key that was given away do nothing else", () => {
    expect(keysOf({ skip: "q" })).toEqual({ yes: null, no: "w", skip: "q", rare: null });
  });

  it("lets the first of two have a key that both were given, on different pages, and leaves the other its default", () => {
    expect(keysOf({ skip: "j", yes: "j" })).toEqual({ yes: "j", no: "w", skip: "x", rare: null });
  });
});

describe("withKey", () => {
  it("swaps with what had the key", () => {
    const own = withKey(ACTIONS, {}, "skip", "w");
    expect(own).toEqual({ skip: "w", no: "x" });
    expect(keysOf(own)).toEqual({ yes: "q", no: "x", skip: "w", rare: null });
  });

  it("takes the key away where there is nothing to swap", () => {
    expect(keysOf(withKey(ACTIONS, {}, "rare", "q"))).toEqual({ yes: null, no: "w", skip: "x", rare: "q" });
    expect(withKey(ACTIONS, { skip: "k" }, "rare", "k")).toEqual({ rare: "k" });
  });
});

describe("keyToGive", () => {
  it.each([
    [{ key: "k", code: "KeyK" }, "k"],
    [{ key: "Shift", code: "ShiftLeft", shiftKey: true }, null],
    [{ key: "K", code: "KeyK", shiftKey: true }, "shift+k"],
    [{ key: "k", code: "KeyK", altKey: true }, "alt+k"],
    [{ key: "k", code: "KeyK", ctrlKey: true }, "ctrl+k"],
    [{ key: "F2", code: "F2" }, "f2"],
    [{ key: "F2", code: "F2", shiftKey: true }, "shift+f2"],
    // The sign of a layout of other letters, and what a US keyboard has there: that outlives a change of the layout.
    [{ key: "й", code: "KeyQ" }, "q"],
    [{ key: "Escape", code: "Escape" }, ""],
    [{ key: " ", code: "Space" }, ""],
    [{ key: "w", code: "KeyW", ctrlKey: true }, ""],
    [{ key: "F5", code: "F5" }, ""],
  ])("%o is %o", (init, expected) => {
    expect(keyToGive(new KeyboardEvent("keydown", init))).toBe(expected);
  });
});

describe("what is kept", () => {
  it("survives what else may stand in the browser", () => {
    setOwnKeys({ skip: "k" });
    expect(ownKeys()).toEqual({ skip: "k" });
    const [place] = Object.keys(localStorage).filter((key) => key.includes("own-keys"));
    for (const broken of ["{", "3", "null", '{"skip":4}']) {
      localStorage.setItem(place ?? "", broken);
      expect(ownKeys()).toEqual({});
    }
  });

  it("acts with Alt where the person chose so, with the key itself", () => {
    setCharacterKeys("alt");
    const press = new KeyboardEvent("keydown", { key: "k", code: "KeyK", altKey: true });
    expect(actionFor(press, bound(ACTIONS, { skip: "alt+k" }))?.id).toBe("skip");
    expect(actionFor(press, bound(ACTIONS, { skip: "k" }))?.id).toBe("skip");
    expect(actionFor(press, bound(ACTIONS, { skip: "k", no: "alt+k" }))?.id).toBe("no");
  });
});
