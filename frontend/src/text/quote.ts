/** Beginning and end of a long quote, for a line of a list. */
export function shortQuote(quote: string, longest = 60): string {
  const words = quote.replaceAll(/\s+/g, " ").trim();
  const letters = [...words];
  if (letters.length === 0) return "white space";
  if (letters.length <= longest) return words;
  const half = Math.floor((longest - 3) / 2);
  return `${letters.slice(0, half).join("").trimEnd()} … ${letters.slice(-half).join("").trimStart()}`;
}

/** A quote for a line of a list, with signs for the white space at its edges and for line breaks. */
interface ShownQuote {
  before: string;
  words: string;
  after: string;
  /** "white space before and after it"; empty where there is none. */
  said: string;
}

/** So many signs at an edge say enough. */
const SHOWN = 3;

export function shownQuote(quote: string, longest?: number): ShownQuote {
  const rest = quote.trimStart();
  const before = signs(quote.slice(0, quote.length - rest.length));
  const inner = rest.trimEnd();
  if (inner === "") return { before, words: "", after: "", said: "nothing but white space" };
  const after = signs(rest.slice(inner.length));
  const words = shortQuote(inner.replaceAll(/\s*(\r\n|\n|\r)\s*/g, " ↵ "), longest);
  const sides = [before && "before", after && "after"].filter(Boolean).join(" and ");
  return { before, words, after, said: sides && `white space ${sides} it` };
}

function signs(space: string): string {
  const all = [...space.replaceAll("\r\n", "\n")].map((each) => SIGNS[each] ?? "␣");
  return all.length > SHOWN ? `${all.slice(0, SHOWN).join("")}…` : all.join("");
}

const SIGNS: Record<string, string> = { "\n": "↵", "\r": "↵", "\t": "⇥" };
