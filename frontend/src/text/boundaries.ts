/** Steps through a text by what people take for a character and for a word. Places are UTF-16 units. */

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const WORDS = new Intl.Segmenter(undefined, { granularity: "word" });

/** How much is segmented at a time: a long text is never segmented whole for one step. */
const REACH = 256;

export function graphemeAfter(text: string, at: number): number {
  return stepAfter(text, at, (part) => {
    const [first] = GRAPHEMES.segment(part);
    return first ? first.segment.length : null;
  });
}

export function graphemeBefore(text: string, at: number): number {
  return stepBefore(text, at, (part) => lastOf(GRAPHEMES.segment(part))?.index ?? null);
}

/** The end of the word that `at` stands in or before; the text's end where no word follows. */
export function wordEndAfter(text: string, at: number): number {
  return stepAfter(text, at, (part) => {
    for (const { segment, index, isWordLike } of WORDS.segment(part)) {
      if (isWordLike) return index + segment.length;
    }
    return null;
  });
}

/** The start of the next word, past the one that `at` stands in; the text's end where no word follows. */
export function wordStartAfter(text: string, at: number): number {
  return stepAfter(text, at, (part) => {
    for (const { index, isWordLike } of WORDS.segment(part)) {
      if (isWordLike && index > 0) return index;
    }
    return null;
  });
}

/** The end of the word before, past the one that `at` stands in or behind; 0 where none stands before it. */
export function wordEndBefore(text: string, at: number): number {
  return stepBefore(text, at, (part) => {
    const words = [...WORDS.segment(part)].filter(({ isWordLike }) => isWordLike);
    const last = words.findLast(({ index, segment }) => index + segment.length < part.length);
    return last ? last.index + last.segment.length : null;
  });
}

/** The start of the word that `at` stands in or behind; 0 where none stands before it. */
export function wordStartBefore(text: string, at: number): number {
  return stepBefore(text, at, (part) => {
    const words = [...WORDS.segment(part)].filter(({ isWordLike }) => isWordLike);
    return words.at(-1)?.index ?? null;
  });
}

/** The edges of what `at` stands inside: a word, a sign, a run of blanks. `at` twice where it stands between two of them. */
export function pieceAround(text: string, at: number): [from: number, to: number] {
  const piece = WORDS.segment(text).containing(at);
  return !piece || piece.index === at ? [at, at] : [piece.index, piece.index + piece.segment.length];
}

/** A boundary at the rim of the part that was looked at may be the rim's doing: then more is looked at. */
function stepAfter(text: string, at: number, find: (part: string) => number | null): number {
  for (let reach = REACH; ; reach *= 4) {
    const part = text.slice(at, at + reach);
    const found = find(part);
    const isWhole = at + reach >= text.length;
    if (found !== null && (isWhole || found < part.length)) return at + found;
    if (isWhole) return text.length;
  }
}

function stepBefore(text: string, at: number, find: (part: string) => number | null): number {
  for (let reach = REACH; ; reach *= 4) {
    const from = partStart(text, Math.max(0, at - reach));
    const found = find(text.slice(from, at));
    if (found !== null && (from === 0 || found > 0)) return from + found;
    if (from === 0) return 0;
  }
}

/** Not between the two halves of a pair, nor inside a run of flags, whose pairing depends on where it begins. */
function partStart(text: string, from: number): number {
  let start = from > 0 && isLowHalf(text.charCodeAt(from)) ? from - 1 : from;
  while (start >= 2 && isFlagHalf(text, start - 2)) start -= 2;
  return start;
}

function isLowHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Whether a regional indicator, half of a flag, begins here. */
function isFlagHalf(text: string, at: number): boolean {
  const point = text.codePointAt(at) ?? 0;
  return point >= 0x1f1e6 && point <= 0x1f1ff;
}

function lastOf<T>(parts: Iterable<T>): T | undefined {
  let last: T | undefined;
  for (const part of parts) last = part;
  return last;
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** As dir="auto" decides: by the first letter that has a direction. */
export function isRightToLeft(text: string): boolean {
  const first = /\p{L}/u.exec(text);
  return first !== null && RIGHT_TO_LEFT.test(first[0]);
}
