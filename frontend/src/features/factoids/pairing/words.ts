/** Words of a description in lower case, as the pairing counts them. */
const WORD = /[\p{L}\p{N}_]+/gu;

export interface Piece {
  text: string;
  /** The other description lacks this word. */
  isOwn: boolean;
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

/** A description in pieces: its words that the other one lacks, and what stands between them. */
export function pieces(text: string, other: string): Piece[] {
  const theirs = new Set(wordsOf(other));
  const found: Piece[] = [];
  const add = (part: string, isOwn: boolean) => {
    const last = found.at(-1);
    if (part === "") return;
    if (last?.isOwn === isOwn) last.text += part;
    else found.push({ text: part, isOwn });
  };
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    add(text.slice(end, match.index), false);
    add(match[0], !theirs.has(match[0].toLowerCase()));
    end = match.index + match[0].length;
  }
  add(text.slice(end), false);
  return found;
}

/** How many words two descriptions share, of all that either has. */
export function likeness(one: string, other: string): number {
  const [mine, theirs] = [new Set(wordsOf(one)), new Set(wordsOf(other))];
  const all = new Set([...mine, ...theirs]);
  return all.size === 0 ? 0 : [...mine].filter((word) => theirs.has(word)).length / all.size;
}
