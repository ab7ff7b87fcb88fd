import type { SpanLayer } from "../../../api/types";
import type { OwnKeys } from "../../../keyboard/ownKeys";
import { RESERVED } from "../../questions/optionKeys";

/** What can be done with spans by one letter; the codebook's own letters go first. */
const COMMAND_LETTERS = {
  next: "n",
  previous: "p",
  missing: "g",
  select: "s",
  remark: "r",
  startBack: "u",
  startOn: "o",
  endBack: "j",
  endOn: "l",
  source: "d",
  marks: "i",
  sources: "b",
} as const;

type SpanCommand = keyof typeof COMMAND_LETTERS;

export interface SpanKeys {
  /** Category key -> its key; null where the keyboard has run out. */
  categories: ReadonlyMap<string, string | null>;
  commands: Readonly<Record<SpanCommand, string | null>>;
  /** All of them, Shift's too, for those who share the keyboard. */
  taken: ReadonlySet<string>;
}

/** The command that marks a category; by it a person's own key is kept. */
export function categoryId(category: string): string {
  return `span-category-${category}`;
}

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];

/**
 * A category's own shortcut, unless the whole screen uses it; then, and where it has none, the next free digit. A command
 * whose letter is a category's goes to Shift and that letter. `given` are the keys that the person gave to
 * categories and commands: nothing else gets one of these.
 */
export function spanKeys(layer: SpanLayer, given: OwnKeys = {}): SpanKeys {
  const elsewhere = new Set(Object.values(given));
  const own = layer.categories.map(({ key: category, shortcut }) => {
    const mine = given[categoryId(category)];
    if (mine !== undefined) return mine;
    const key = shortcut?.toLowerCase() ?? null;
    if (key !== null && elsewhere.has(key)) return null;
    return key !== null && RESERVED.has(key) ? null : key;
  });
  const used = new Set([...own, ...elsewhere]);
  const free = DIGITS.filter((digit) => !used.has(digit)).values();
  const keys = own.map((key) => key ?? free.next().value ?? null);
  const categories = new Map(layer.categories.map(({ key }, place) => [key, keys[place] ?? null]));
  const commands = Object.fromEntries(
    Object.entries(COMMAND_LETTERS).map(([command, letter]) => [
      command,
      used.has(letter) ? `shift+${letter}` : letter,
    ]),
  ) as Record<SpanCommand, string>;
  const shifted = ["m", ...Object.values(COMMAND_LETTERS)].map((letter) => `shift+${letter}`);
  const taken = new Set([...keys, ...Object.values(commands), ...shifted].filter((key) => key !== null));
  return { categories, commands, taken };
}

/** The same key with shift; none where that is what it is already. */
export function shifted(key: string | null): string | null {
  return key === null || key.startsWith("shift+") ? null : `shift+${key}`;
}
