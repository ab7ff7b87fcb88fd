/** A stretch of a text in UTF-16 units, half-open. */
export interface Hit {
  start: number;
  end: number;
}

/**
 * Where `sought` stands in the text, whatever its case; hits do not overlap. White space in `sought` stands for any
 * white space, since lines of a source break elsewhere than a person types.
 */
export function hitsOf(text: string, sought: string): Hit[] {
  const words = sought.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const pattern = new RegExp(words.map(escaped).join("\\s+"), "giu");
  return [...text.matchAll(pattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function escaped(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
