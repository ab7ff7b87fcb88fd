import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

let keyNames: typeof import("./keys").keyNames;
let note: typeof import("./layout").note;

/** Nothing is known of the layout when a page opens. */
beforeEach(async () => {
  vi.resetModules();
  ({ keyNames } = await import("./keys"));
  ({ note } = await import("./layout"));
});
afterEach(() => vi.unstubAllGlobals());

function names(code: string, key: string, held: Partial<KeyboardEvent> = {}): string[] {
  return keyNames({ code, key, shiftKey: false, ...held });
}

/** What a press of a key that is `us` on a US keyboard does first, on layouts that give it another sign. */
describe("places", () => {
  it.each([
    // Letters of other scripts.
    ["Russian", "KeyQ", "й", "q"],
    ["Ukrainian", "KeyS", "і", "s"],
    ["Bulgarian (BDS)", "KeyW", "у", "w"],
    ["Greek", "KeyA", "α", "a"],
    ["Hebrew", "KeyE", "ק", "e"],
    ["Arabic", "KeyQ", "ض", "q"],
    ["Arabic, two letters by one key", "KeyB", "لا", "b"],
    ["Persian", "KeyA", "ش", "a"],
    ["Georgian", "KeyQ", "ქ", "q"],
    ["Armenian", "KeyA", "ա", "a"],
    ["Korean", "KeyQ", "ㅂ", "q"],
    ["Japanese kana", "KeyQ", "た", "q"],
    ["Turkish dotless i", "KeyI", "ı", "i"],
    // Vowel signs and other combining marks.
    ["Hindi (Inscript)", "KeyQ", "ौ", "q"],
    ["Hindi, a cluster by one key", "KeyX", "क्ष", "x"],
    ["Bengali", "KeyA", "ো", "a"],
    ["Tamil", "KeyD", "்", "d"],
    ["Thai", "KeyY", "ั", "y"],
    ["Lao", "KeyU", "ີ", "u"],
    ["Khmer", "KeyI", "ិ", "i"],
    ["Burmese", "KeyF", "်", "f"],
    ["Vietnamese tone mark", "Digit5", "̀", "5"],
    // A sign where a US keyboard has a letter.
    ["Hebrew", "KeyQ", "/", "q"],
    ["Hebrew", "KeyW", "'", "w"],
    ["Greek", "KeyQ", ";", "q"],
    ["Bulgarian (BDS)", "KeyQ", ",", "q"],
    ["Thai", "KeyQ", "ๆ", "q"],
    ["Dead key", "KeyQ", "Dead", "q"],
    ["A sign that the system does not know", "KeyQ", "Unidentified", "q"],
    // Native digits, and letters or signs in place of digits.
    ["Arabic-Indic", "Digit1", "١", "1"],
    ["Persian", "Digit2", "۲", "2"],
    ["Hindi", "Digit3", "३", "3"],
    ["Bengali", "Digit4", "৪", "4"],
    ["Thai numerals", "Digit5", "๕", "5"],
    ["Arabic-Indic, number pad", "Numpad7", "٧", "7"],
    ["French (AZERTY)", "Digit1", "&", "1"],
    ["French (AZERTY)", "Digit2", "é", "2"],
    ["French (AZERTY)", "Digit0", "à", "0"],
    ["Czech", "Digit1", "+", "1"],
    ["Czech", "Digit2", "ě", "2"],
    ["Thai", "Digit1", "ๅ", "1"],
    ["Thai", "Digit2", "/", "2"],
    // Punctuation by its place, where the layout has a letter of its own.
    ["Hebrew", "Comma", "ת", ","],
    ["Hebrew", "Period", "ץ", "."],
    ["Russian", "Comma", "б", ","],
    ["Russian", "Period", "ю", "."],
    ["Arabic", "Slash", "ظ", "/"],
    ["Chinese, full width", "Comma", "，", ","],
    ["Japanese, full width", "KeyQ", "ｑ", "q"],
  ])("%s %s %s is %s", (_, code, key, us) => {
    const found = names(code, key);
    // A sign of the layout's own comes first; nothing but a codebook's own shortcut can have claimed it.
    expect(found.filter((name) => /^[!-~]+$/.test(name))[0]).toBe(us);
  });

  it.each([
    ["Arabic question mark", "Slash", "؟", "?"],
    ["Hindi", "Slash", "य़", "?"],
    ["Hebrew with Shift", "KeyQ", "/", "shift+q"],
    ["Russian", "KeyC", "С", "shift+c"],
    ["Bengali", "KeyH", "ঃ", "shift+h"],
    ["Thai", "KeyM", "?", "shift+m"],
  ])("%s, with Shift: %s %s is %s", (_, code, key, us) => {
    expect(names(code, key, { shiftKey: true })).toContain(us);
  });
});

describe("signs", () => {
  it.each([
    ["French (AZERTY)", "KeyQ", "a", ["a"]],
    ["French (AZERTY)", "KeyA", "q", ["q"]],
    ["German (QWERTZ)", "KeyY", "z", ["z"]],
    ["Dvorak", "KeyX", "q", ["q"]],
    ["Dvorak", "Comma", "w", ["w"]],
    ["Caps lock", "KeyQ", "Q", ["q"]],
    ["Hebrew full stop", "Slash", ".", ["."]],
    ["Hebrew comma", "Quote", ",", [","]],
    ["Number pad", "NumpadDivide", "/", ["/"]],
  ])("%s %s %s", (_, code, key, expected) => {
    expect(names(code, key)).toEqual(expected);
  });

  it.each([
    ["French (AZERTY)", "Digit1", "1", ["1"]],
    ["French (AZERTY)", "Comma", "?", ["?"]],
    ["German (QWERTZ)", "Digit7", "/", ["/"]],
    ["German (QWERTZ)", "Minus", "?", ["?"]],
    ["Russian comma", "Slash", ",", [","]],
    ["Russian question mark", "Digit7", "?", ["?"]],
    ["US", "Digit1", "!", ["!"]],
  ])("%s with Shift: %s %s", (_, code, key, expected) => {
    expect(names(code, key, { shiftKey: true })).toEqual(expected);
  });

  it("goes by the sign with AltGr, which Windows reports as Ctrl and Alt", () => {
    const altGr = { getModifierState: (name: string) => name === "AltGraph" };
    expect(names("KeyQ", "@", { ctrlKey: true, altKey: true, ...altGr })).toEqual(["@"]);
    expect(names("KeyA", "ą", altGr)).toEqual(["ą"]);
  });

  it("names Alt by what the key is without it on a Mac", () => {
    expect(names("KeyQ", "œ", { altKey: true })).toContain("alt+q");
    expect(names("KeyE", "Dead", { altKey: true })).toEqual(["alt+e"]);
  });
});

describe("rearranged Latin layouts", () => {
  it("has its own signs where a US keyboard has letters, once a letter showed it", () => {
    note("q", "KeyX");
    expect(names("KeyW", ",")).toEqual([","]);
    expect(names("KeyZ", ";")).toEqual([";"]);
  });

  it("has AZERTY's comma", () => {
    note("a", "KeyQ");
    expect(names("KeyM", ",")).toEqual([","]);
  });

  it("gives way when a letter of another script shows that the layout was changed", () => {
    note("q", "KeyX");
    expect(names("KeyE", "ק")).toContain("e");
    expect(names("KeyQ", "/")).toEqual(["q"]);
  });

  it("is not taken for one by a US keyboard", () => {
    note("q", "KeyQ");
    expect(names("KeyQ", "/")).toEqual(["q"]);
  });

  it("is known at once where the browser tells it", async () => {
    vi.resetModules();
    const map = new Map([
      ["KeyW", ","],
      ["KeyX", "q"],
    ]);
    vi.stubGlobal("navigator", { keyboard: { getLayoutMap: async () => map } });
    const layout = await import("./layout");
    const keys = await import("./keys");
    layout.askForLayout();
    await Promise.resolve();
    expect(keys.keyNames({ code: "KeyW", key: ",", shiftKey: false })).toEqual([","]);
  });
});
