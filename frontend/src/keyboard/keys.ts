type KeyPress = Pick<KeyboardEvent, "key" | "code" | "shiftKey"> &
  Partial<Pick<KeyboardEvent, "ctrlKey" | "metaKey">>;

/**
 * Names under which a key press may be bound, most exact first: "q", "shift+c", "?", "enter", "shift+arrowleft",
 * "ctrl+z" (⌘ goes for Ctrl). A letter of another script also goes by its place on the keyboard, so that Latin shortcuts
 * work on every layout. A named key with Shift is also found without it.
 */
export function keyNames({ key, code, shiftKey, ctrlKey, metaKey }: KeyPress): string[] {
  const held = ctrlKey || metaKey ? "ctrl+" : "";
  const shift = shiftKey ? "shift+" : "";
  const lower = key.toLowerCase();
  if ([...key].length > 1) return [...new Set([held + shift + lower, held + lower])];
  if (!/\p{L}/u.test(key)) return [held + lower];
  const place = /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase();
  const byPlace = place && !/[a-z]/.test(lower) ? [held + shift + place] : [];
  return [held + shift + lower, ...byPlace];
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
