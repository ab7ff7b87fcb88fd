import type { StageDefinition } from "../../api/types";
import type { OwnKeys } from "../../keyboard/ownKeys";
import { choicesOf } from "../questionTypes/questionType";
import { FILTER_KEY, LONG_LIST } from "./filtering";

/** Letters that act on the whole screen (context, help, comment, skip). */
export const RESERVED = new Set(["c", "h", "m", "x"]);

const PLAIN_ROWS = ["qwertyuiop", "asdfgjkl", "zvbn"].map((row) => [...row]);
const ROWS = [...PLAIN_ROWS, ...PLAIN_ROWS.map((row) => row.map((letter) => `shift+${letter}`))];

const NONE: ReadonlySet<string> = new Set();

/** Stage key -> a key for each of its choices in order: its labels, or its box; null where the keyboard has run out. */
export type OptionKeys = ReadonlyMap<string, readonly (string | null)[]>;

/**
 * A key for each label of a codebook. It depends on the codebook alone, so that no key changes its meaning while an item
 * is open, nor from item to item. A label has its own shortcut where that is free; the others of its question have
 * neighbouring letters of one row, and the next question begins on the next row. `others` are keys that something else on
 * the screen uses. Only where a codebook has more labels than there are keys are they given a second time. `own` are the
 * keys that the person gave to labels and commands: no other label gets one of these.
 */
export function optionKeys(
  stages: readonly StageDefinition[],
  others: ReadonlySet<string> = NONE,
  own: OwnKeys = {},
): OptionKeys {
  const screen = new Set([...RESERVED, FILTER_KEY, ...others, ...Object.values(own)]);
  const inTurn = [...stages.filter(isShort), ...stages.filter((stage) => !isShort(stage))];
  const keys = new Map<string, (string | null)[]>();
  let taken = new Set(screen);
  for (const stage of stages) keys.set(stage.key, shortcuts(stage, taken, own));
  let row = 0;
  for (const stage of inTurn) {
    const claimed = keys.get(stage.key) ?? [];
    const lacking = claimed.filter((key) => key === null).length;
    if (isShort(stage) && lacking > freeIn(ROWS.flat(), taken).length) {
      taken = new Set([...screen, ...claimed.filter((key) => key !== null)]);
    }
    const found = lettersFor(lacking, row, taken);
    for (const key of found.letters) taken.add(key);
    row = found.next;
    const letters = found.letters.values();
    keys.set(
      stage.key,
      claimed.map((key) => key ?? letters.next().value ?? null),
    );
  }
  return keys;
}

function isShort(stage: StageDefinition): boolean {
  return choicesOf(stage).length <= LONG_LIST;
}

/** The digit that reopens the stage at this place among the open ones, unless a label or another thing uses it. */
export function reopenKey(
  place: number,
  keys: OptionKeys,
  others: ReadonlySet<string> = NONE,
): string | null {
  const digit = String(place + 1);
  const used = others.has(digit) || [...keys.values()].some((each) => each.includes(digit));
  return place < 9 && !used ? digit : null;
}

/** The command that gives a label; by it a person's own key is kept. */
export function answerId(stage: string, label: string): string {
  return `answer-${stage}-${label}`;
}

function shortcuts(stage: StageDefinition, taken: Set<string>, own: OwnKeys): (string | null)[] {
  return choicesOf(stage).map(({ key: label, shortcut }) => {
    const given = own[answerId(stage.key, label)];
    if (given !== undefined) return given;
    const key = shortcut?.toLowerCase();
    if (!key || taken.has(key)) return null;
    taken.add(key);
    return key;
  });
}

/** Letters of the first row with room for all of them, from the row whose turn it is; else of whatever rows have some. */
function lettersFor(
  count: number,
  turn: number,
  taken: ReadonlySet<string>,
): { letters: string[]; next: number } {
  const plain = PLAIN_ROWS.map((_, step) => (turn + step) % PLAIN_ROWS.length);
  const shifted = ROWS.map((_, row) => row).slice(PLAIN_ROWS.length);
  for (const row of [...plain, ...shifted]) {
    const free = freeIn(ROWS[row] ?? [], taken);
    if (free.length >= count) return { letters: free.slice(0, count), next: (row + 1) % PLAIN_ROWS.length };
  }
  return { letters: freeIn(ROWS.flat(), taken).slice(0, count), next: turn };
}

function freeIn(letters: readonly string[], taken: ReadonlySet<string>): string[] {
  return letters.filter((letter) => !taken.has(letter));
}
