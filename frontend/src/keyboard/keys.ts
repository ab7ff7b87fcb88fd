import { isRearranged, note } from "./layout";

type KeyPress = Pick<KeyboardEvent, "key" | "code" | "shiftKey"> &
  Partial<Pick<KeyboardEvent, "ctrlKey" | "metaKey" | "altKey" | "getModifierState">>;

/** US places of the signs that are bound, plain and with Shift. */
const PUNCTUATION: Record<string, [string, string]> = {
  Comma: [",", "<"],
  Period: [".", ">"],
  Slash: ["/", "?"],
};

/**
 * Names under which a key press may be bound, most exact first: "q", "shift+c", "?", "enter", "shift+arrowleft",
 * "ctrl+z" (⌘ goes for Ctrl), "alt+q". A Latin letter and an ASCII digit go by their sign, wherever the layout has
 * them. Any other sign also goes by its place on a US keyboard, so that Latin shortcuts work on every layout:
 * letters of other scripts, vowel signs, dead keys, native digits, and the signs that a layout has in place of a letter
 * or a digit. A named key with Shift is also found without it.
 */
export function keyNames(press: KeyPress): string[] {
  const { key, code, shiftKey } = press;
  // AltGr only chooses the sign; Windows reports it as Ctrl and Alt.
  const isAltGr = press.getModifierState?.("AltGraph") ?? false;
  const held = isAltGr ? "" : heldNames(press);
  const shift = shiftKey ? "shift+" : "";
  const isSignless = key === "Dead" || key === "Unidentified";
  if (!isSignless && /^[A-Z][A-Za-z0-9]+$/.test(key)) {
    const name = key.toLowerCase();
    return [...new Set([held + shift + name, held + name])];
  }
  const sign = narrow(key).toLowerCase();
  note(sign, code);
  if (/^[a-z]$/.test(sign)) return [held + shift + sign];
  if (/^[0-9]$/.test(sign)) return [held + sign];
  const place = isAltGr ? null : placeName(code, shiftKey, sign);
  const isAscii = /^[!-~]$/.test(sign);
  if (isSignless) return place === null ? [] : [held + place];
  if (place === null) return [held + (isAscii ? "" : shift) + sign];
  if (!isAscii) return [held + shift + sign, held + place];
  if (code.startsWith("Key")) return [held + place];
  return code.startsWith("Digit") && !shiftKey ? [held + place, held + sign] : [held + sign];
}

function heldNames({ ctrlKey, metaKey, altKey }: KeyPress): string {
  return (ctrlKey || metaKey ? "ctrl+" : "") + (altKey ? "alt+" : "");
}

/** The full-width forms that input methods give are the ASCII signs. */
function narrow(key: string): string {
  return key.replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
}

/** What a US keyboard has at this place; null where the layout has put its own Latin letters and signs there. */
function placeName(code: string, shiftKey: boolean, sign: string): string | null {
  const [, letter, digit] = /^Key([A-Z])$|^(?:Digit|Numpad)([0-9])$/.exec(code) ?? [];
  const shift = shiftKey ? "shift+" : "";
  if (letter) return isRearranged(sign) ? null : shift + letter.toLowerCase();
  if (digit) return shift + digit;
  return PUNCTUATION[code]?.[shiftKey ? 1 : 0] ?? null;
}

const CONTROLS_WITH_TEXT = "input, textarea, select, [contenteditable]:not([contenteditable='false'])";
const CONTROLS_WITH_ENTER = "button, a[href], summary, [role='button']";

/** While a person types, a letter is a letter. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(CONTROLS_WITH_TEXT) !== null;
}

/** Enter and space on a focused control act on that control. */
export function isOwnKey(target: EventTarget | null, key: string): boolean {
  if (key !== "Enter" && key !== " ") return false;
  return target instanceof Element && target.closest(CONTROLS_WITH_ENTER) !== null;
}
