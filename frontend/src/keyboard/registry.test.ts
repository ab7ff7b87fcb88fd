// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import { keyNames } from "./keys";
import { type Action, actionFor, helpGroups } from "./registry";

function action(id: string, key: string | null, enabled = true): Action {
  return { id, label: id, group: "Group", key, isEnabled: () => enabled, run: () => {} };
}

function press(init: KeyboardEventInit & { key: string }, target: Element = document.body): KeyboardEvent {
  let seen: KeyboardEvent | undefined;
  const note = (event: KeyboardEvent) => {
    seen = event;
  };
  document.addEventListener("keydown", note);
  target.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));
  document.removeEventListener("keydown", note);
  if (!seen) throw new Error("the key press did not arrive");
  return seen;
}

const ACTIONS = [
  action("yes", "q"),
  action("submit", "enter"),
  action("close", "shift+c"),
  action("help", "?"),
];
const idFor = (event: KeyboardEvent) => actionFor(event, ACTIONS)?.id ?? null;

afterEach(() => {
  document.body.innerHTML = "";
});

describe("keyNames", () => {
  it.each([
    [{ key: "q", code: "KeyQ", shiftKey: false }, ["q"]],
    [{ key: "Q", code: "KeyQ", shiftKey: false }, ["q"]],
    [{ key: "C", code: "KeyC", shiftKey: true }, ["shift+c"]],
    [{ key: "?", code: "Slash", shiftKey: true }, ["?"]],
    [{ key: "ArrowLeft", code: "ArrowLeft", shiftKey: false }, ["arrowleft"]],
    [{ key: "ArrowLeft", code: "ArrowLeft", shiftKey: true }, ["shift+arrowleft", "arrowleft"]],
    [
      { key: "ArrowLeft", code: "ArrowLeft", shiftKey: true, ctrlKey: true },
      ["ctrl+shift+arrowleft", "ctrl+arrowleft"],
    ],
    [{ key: "z", code: "KeyZ", shiftKey: false, metaKey: true }, ["ctrl+z"]],
    [{ key: "Я", code: "KeyZ", shiftKey: true, ctrlKey: true }, ["ctrl+shift+я", "ctrl+shift+z"]],
    [{ key: "1", code: "Digit1", shiftKey: false }, ["1"]],
    [{ key: "й", code: "KeyQ", shiftKey: false }, ["й", "q"]],
    [{ key: "a", code: "KeyQ", shiftKey: false }, ["a"]],
  ])("names %o", (event, names) => {
    expect(keyNames(event)).toEqual(names);
  });
});

describe("actionFor", () => {
  it("finds the action of a key", () => {
    expect(idFor(press({ key: "q" }))).toBe("yes");
    expect(idFor(press({ key: "C", shiftKey: true }))).toBe("close");
    expect(idFor(press({ key: "z" }))).toBeNull();
  });

  it.each(["ctrlKey", "altKey", "metaKey"])("does nothing with %s", (modifier) => {
    expect(idFor(press({ key: "q", [modifier]: true }))).toBeNull();
  });

  it.each(["<input>", "<textarea></textarea>", "<select></select>", "<p contenteditable='true'></p>"])(
    "does nothing while typing in %s",
    (html) => {
      document.body.innerHTML = html;
      expect(idFor(press({ key: "q" }, document.body.firstElementChild ?? undefined))).toBeNull();
    },
  );

  it("leaves Enter and space to a focused button, and takes letters there", () => {
    document.body.innerHTML = "<button type='button'><span>Back</span></button>";
    const button = document.querySelector("span") ?? document.body;
    expect(idFor(press({ key: "Enter" }, button))).toBeNull();
    expect(idFor(press({ key: "q" }, button))).toBe("yes");
    expect(idFor(press({ key: "Enter" }))).toBe("submit");
  });

  it("does nothing for a held key or while an input method composes", () => {
    expect(idFor(press({ key: "Enter", repeat: true }))).toBeNull();
    expect(idFor(press({ key: "q", isComposing: true }))).toBeNull();
  });

  it("lets an action act while its key is held, or from a box, where it says so", () => {
    const undo = { ...action("undo", "ctrl+z"), whileHeld: true, from: () => true };
    document.body.innerHTML = "<textarea></textarea>";
    const box = document.body.firstElementChild ?? undefined;
    expect(actionFor(press({ key: "z", ctrlKey: true, repeat: true }, box), [undo])?.id).toBe("undo");
    expect(actionFor(press({ key: "z" }, box), [undo])).toBeNull();
    const caret = { ...action("caret", "arrowright"), from: (target: EventTarget | null) => target === box };
    expect(actionFor(press({ key: "ArrowRight" }), [caret])).toBeNull();
  });

  it("passes over actions that are not enabled", () => {
    expect(actionFor(press({ key: "q" }), [action("off", "q", false), action("on", "q")])?.id).toBe("on");
  });

  it("does nothing and warns when two actions claim the key", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    expect(actionFor(press({ key: "q" }), [action("a", "q"), action("b", "q")])).toBeNull();
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("a and b"));
  });
});

describe("helpGroups", () => {
  it("lists what has a key, and says of what does not act now when it does", () => {
    const later = { ...action("c", "x", false), when: "with a span in hand" };
    expect(helpGroups([action("a", "q"), action("b", null), later])).toEqual([
      {
        name: "Group",
        lines: [
          { label: "a", commands: [{ id: "a", key: "q" }], when: null },
          { label: "c", commands: [{ id: "c", key: "x" }], when: "with a span in hand" },
        ],
      },
    ]);
  });

  it("lists several keys of one thing in one line", () => {
    const redo = { ...action("redo", "ctrl+shift+z"), label: "Redo" };
    const again = { ...action("redo-y", "ctrl+y"), label: "Redo" };
    expect(helpGroups([redo, again])).toEqual([
      {
        name: "Group",
        lines: [
          {
            label: "Redo",
            commands: [
              { id: "redo", key: "ctrl+shift+z" },
              { id: "redo-y", key: "ctrl+y" },
            ],
            when: null,
          },
        ],
      },
    ]);
  });
});
