import type { StageDefinition } from "../../../api/types";
import type { Hands } from "./answers";

/** Letters that act on the whole screen (context, help, comment, skip). */
export const RESERVED = new Set(["c", "h", "m", "x"]);

const ROWS = ["qwertyuiop", "asdfgjkl", "zvbn"] as const;
const FIRST_ROW = letters(ROWS[0], ROWS[1], ROWS[2]);
const SECOND_ROW = letters(ROWS[1], ROWS[2], ROWS[0]);

const NONE: ReadonlySet<string> = new Set();

/** Stage key -> a key for each of its labels in order; null where the keyboard has run out. */
export type OptionKeys = ReadonlyMap<string, readonly (string | null)[]>;

/**
 * A codebook's own shortcut where it is free, else the next letter of the row: the top row for the question at hand, the
 * middle row for the next one; shifted letters after that, so that long lists have keys too. `others` are keys that
 * something else on the screen uses.
 */
export function optionKeys({ atHand, next }: Hands, others: ReadonlySet<string> = NONE): OptionKeys {
  const taken = new Set([...RESERVED, ...others]);
  const keys = new Map<string, readonly (string | null)[]>();
  if (atHand) keys.set(atHand.key, keysFor(atHand, FIRST_ROW, taken));
  if (next) keys.set(next.key, keysFor(next, SECOND_ROW, taken));
  return keys;
}

/** The digit that reopens the stage at this place among the open ones, unless a label at hand or another thing uses it. */
export function reopenKey(
  place: number,
  keys: OptionKeys,
  others: ReadonlySet<string> = NONE,
): string | null {
  const digit = String(place + 1);
  const used = others.has(digit) || [...keys.values()].some((each) => each.includes(digit));
  return place < 9 && !used ? digit : null;
}

function keysFor(stage: StageDefinition, row: readonly string[], taken: Set<string>): (string | null)[] {
  const own = stage.labels.map((label) => ownKey(label.shortcut, taken));
  return own.map((key) => key ?? nextFree(row, taken));
}

function ownKey(shortcut: string | null | undefined, taken: Set<string>): string | null {
  const key = shortcut?.toLowerCase();
  if (!key || taken.has(key)) return null;
  taken.add(key);
  return key;
}

function nextFree(row: readonly string[], taken: Set<string>): string | null {
  const key = row.find((each) => !taken.has(each)) ?? null;
  if (key) taken.add(key);
  return key;
}

function letters(...rows: string[]): string[] {
  const plain = rows.flatMap((row) => [...row]);
  return [...plain, ...plain.map((letter) => `shift+${letter}`)];
}
