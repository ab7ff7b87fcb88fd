import type { ContextLevel, Item, Turn } from "../../api/types";

/** From the sentence outwards. */
export const LEVELS: readonly ContextLevel[] = [
  "sentence",
  "utterance",
  "minus_5_sentences",
  "minus_200_tokens",
];

export function widerOf(a: ContextLevel, b: ContextLevel): ContextLevel {
  return LEVELS.indexOf(a) >= LEVELS.indexOf(b) ? a : b;
}

export function isOpenAt(level: ContextLevel, opened: ContextLevel): boolean {
  return LEVELS.indexOf(opened) >= LEVELS.indexOf(level);
}

/** The rungs that this item has, nearest first; an item that came without its utterance has none. */
export function rungsOf(item: Item): ContextLevel[] {
  const { utterance, minus_5_sentences, minus_200_tokens } = item.context;
  const before = minus_5_sentences.length + minus_200_tokens.length > 0;
  if (!utterance && !before) return [];
  return utterance ? LEVELS.slice(1) : LEVELS.slice(2);
}

export function nextLevel(item: Item, opened: ContextLevel): ContextLevel | null {
  return rungsOf(item).find((level) => !isOpenAt(level, opened)) ?? null;
}

/** One step back towards the sentence. */
export function levelBelow(item: Item, opened: ContextLevel): ContextLevel {
  const below = rungsOf(item).filter((level) => isOpenAt(level, opened) && level !== opened);
  return below.at(-1) ?? "sentence";
}

/**
 * The part of the 200 words that lies before the five sentences, so that no text stands on the page twice.
 * null: the two lists do not end alike, so that the wider one must be shown whole.
 */
export function beforeFive(wide: readonly Turn[], five: readonly Turn[]): Turn[] | null {
  if (five.length === 0) return [...wide];
  const shared = Math.min(wide.length, five.length);
  for (let back = 1; back < shared; back += 1) {
    if (!sameTurn(wide.at(-back), five.at(-back))) return null;
  }
  const outer = wide.at(-shared);
  const inner = five.at(-shared);
  if (!outer || !inner || outer.speaker !== inner.speaker) return null;
  // Long sentences: the five hold more than 200 words, so nothing is left over.
  if (five.length > wide.length || (five.length === wide.length && outer.text.length <= inner.text.length))
    return inner.text.endsWith(outer.text) ? [] : null;
  if (!outer.text.endsWith(inner.text)) return null;
  const rest = outer.text.slice(0, outer.text.length - inner.text.length);
  const whole = wide.slice(0, wide.length - shared);
  return rest.trim() === "" ? whole : [...whole, { speaker: outer.speaker, text: rest }];
}

function sameTurn(a: Turn | undefined, b: Turn | undefined): boolean {
  return a?.speaker === b?.speaker && a?.text === b?.text;
}
