/** What is alike to a string or to a class, from the pairs that the server found. */
import type { Pair } from "../types";
import { type Content, classesOf, type Edit, movedFrom } from "./edits";

export interface Alike {
  text: string;
  other: string;
  score: number;
  shared: readonly string[];
}

/** The most alike first: pairs of one of `texts` with a string that is not among them, each string once. */
export function alikeTo(pairs: readonly Pair[], texts: ReadonlySet<string>): Alike[] {
  const best = new Map<string, Alike>();
  for (const { text, other, score, shared } of pairs) {
    const [own, found] = texts.has(text) ? [text, other] : [other, text];
    if (!texts.has(own) || texts.has(found)) continue;
    if ((best.get(found)?.score ?? Number.NEGATIVE_INFINITY) < score)
      best.set(found, { text: own, other: found, score, shared });
  }
  return [...best.values()].sort((a, b) => b.score - a.score || (a.other < b.other ? -1 : 1));
}

/** What accepting a suggestion does: the other string joins the class of the own one, or a class is made of both. */
export function acceptance(
  content: Content,
  { text, other }: Pick<Alike, "text" | "other">,
  key: string,
): Edit {
  const places = classesOf(content);
  const [own, theirs] = [places.get(text), places.get(other)];
  if (own) return { kind: "put", moved: movedFrom(content, [other]), to: own };
  if (theirs) return { kind: "put", moved: movedFrom(content, [text]), to: theirs };
  return { kind: "create", moved: movedFrom(content, [text, other]), key, name: "" };
}
