import type { Factoid, SetText } from "../../../api/factoids";
import { naturally } from "../../../text/natural";
import type { Direction, LinkKind, Pairing, PairLink, Relation } from "../types";
import { likeness } from "./words";

/** Which pairs are listed. */
export type Which = "all" | "unjudged" | "judged" | "by-hand";

export interface Filters {
  which: Which;
  relation: Relation | "";
  link: LinkKind | "";
}

export const LINK_WORDS: Record<LinkKind, string> = {
  strong: "Paired",
  "A->B": "Weak, A → B",
  "A<-B": "Weak, A ← B",
  unlinked: "No link",
};

export function linkKind(direction: Direction): LinkKind {
  if (direction === null) return "strong";
  return direction === "none" ? "unlinked" : direction;
}

/** As the paper heads a pair. */
export function headOf({ direction }: Pick<PairLink, "direction">): string {
  if (direction === "none") return "NO LINK";
  return direction === null ? "PAIRED" : "UNPAIRED BEST";
}

export function keyOf({ a, b }: Pick<PairLink, "a" | "b">): string {
  return `${a} ${b}`;
}

export function matching(links: readonly PairLink[], { which, relation, link }: Filters): PairLink[] {
  return links.filter(
    (each) =>
      (which !== "unjudged" || each.relation === null) &&
      (which !== "judged" || each.relation !== null) &&
      (relation === "" || each.relation === relation) &&
      (link === "" || linkKind(each.direction) === link),
  );
}

/**
 * The pair to judge next: of those that nobody judged the one whose F is nearest to the threshold, where the machine is
 * least sure. Those put aside come last. Ties go by the order of the list.
 */
export function mostUncertain(
  links: readonly PairLink[],
  threshold: number,
  aside: ReadonlySet<string>,
): PairLink | undefined {
  const open = links.filter(({ relation }) => relation === null);
  const fresh = open.filter((link) => !aside.has(keyOf(link)));
  const distance = ({ f }: PairLink) => Math.abs(f - threshold);
  return (fresh.length > 0 ? fresh : open).toSorted((x, y) => distance(x) - distance(y))[0];
}

export type Mark = "=" | "<" | ">";

export interface MarkedSentence {
  mark: Mark;
  id: string;
  text: string;
}

/** Sentences of either factoid in the order of the set: "=" both have, "<" A alone, ">" B alone. */
export function markedSentences(
  texts: readonly SetText[],
  a: Pick<Factoid, "sentences"> | null,
  b: Pick<Factoid, "sentences"> | null,
): MarkedSentence[] {
  const [ofA, ofB] = [new Set(a?.sentences), new Set(b?.sentences)];
  return texts
    .flatMap(({ sentences }) => sentences)
    .filter(({ id }) => ofA.has(id) || ofB.has(id))
    .map(({ id, text }) => ({ id, text, mark: !ofB.has(id) ? "<" : ofA.has(id) ? "=" : ">" }));
}

/** F1 of the sentences, as the pairing computes it without descriptions. */
export function overlap(a: Pick<Factoid, "sentences">, b: Pick<Factoid, "sentences">): number {
  const theirs = new Set(b.sentences);
  const shared = a.sentences.filter((id) => theirs.has(id)).length;
  const all = a.sentences.length + b.sentences.length;
  return all === 0 ? 0 : (2 * shared) / all;
}

/** The other list's factoids for one without a link: those that share sentences first, then words. */
export function candidates(factoid: Factoid, others: readonly Factoid[]): Factoid[] {
  const near = new Map(
    others.map((other) => [
      other.key,
      [overlap(factoid, other), likeness(factoid.description, other.description)] as const,
    ]),
  );
  return others.toSorted((x, y) => {
    const [fx = 0, wx = 0] = near.get(x.key) ?? [];
    const [fy = 0, wy = 0] = near.get(y.key) ?? [];
    return fy - fx || wy - wx || naturally(x, y);
  });
}

export interface LinkChange {
  a: string;
  b: string;
  before: LinkKind | "unlinked";
  after: LinkKind | "unlinked";
}

/** Pairs that another threshold or weight links in another way. */
export function changedLinks(before: readonly PairLink[], after: readonly PairLink[]): LinkChange[] {
  const kinds = (links: readonly PairLink[]) =>
    new Map(links.map((link) => [keyOf(link), { ...link, kind: linkKind(link.direction) }]));
  const [old, now] = [kinds(before), kinds(after)];
  return [...new Map([...old, ...now])]
    .map(([key, { a, b }]) => ({
      ...{ a, b },
      before: old.get(key)?.kind ?? ("unlinked" as const),
      after: now.get(key)?.kind ?? ("unlinked" as const),
    }))
    .filter((change) => change.before !== change.after);
}

/** The pairing with one more judgement, before the server has counted it. */
export function withRelation(pairing: Pairing, judged: PairLink, relation: Relation | null): Pairing {
  const isIt = (link: PairLink) => link.a === judged.a && link.b === judged.b;
  if (pairing.links.some(isIt))
    return {
      ...pairing,
      links: pairing.links.map((link) => (isIt(link) ? { ...link, relation } : link)),
    };
  return { ...pairing, links: [...pairing.links, { ...judged, relation }] };
}
