/** What pairs confuse with what: pure, from counts of items. */
import type { DetailsPage } from "../../../api/agreement";

export type Confusion = DetailsPage["confusion"][number];

/** Two different labels that people gave to the same item. */
export interface Mixed {
  /** Places among the labels. */
  first: number;
  second: number;
  /** Pairs of answers: of two people, items. */
  n: number;
  /** Of these, where the matrix's row person said `first`. */
  forwards: number;
}

/** Up to so many, every label has its line: an empty one says that it was never given. */
export const FEW = 12;

/** Places of the labels that have a line; of many only those that one of the two gave. */
export function shownLabels({ counts }: Pick<Confusion, "counts">, nLabels: number): number[] {
  const all = Array.from({ length: nLabels }, (_, place) => place);
  if (nLabels <= FEW) return all;
  return all.filter((place) => counts.some((row, i) => (i === place ? row.some(Boolean) : row[place])));
}

export function differing({ n, counts }: Confusion): number {
  return n - counts.reduce((same, row, place) => same + (row[place] ?? 0), 0);
}

/** Who differs on most items comes first. */
export function mostDifferent(confusions: readonly Confusion[]): Confusion[] {
  return confusions.toSorted((a, b) => differing(b) - differing(a) || b.n - a.n);
}

/** Labels that are taken for each other, most often first; what never was is left out. */
export function mixedLabels(confusions: readonly Pick<Confusion, "counts">[], nLabels: number): Mixed[] {
  const found: Mixed[] = [];
  for (let first = 0; first < nLabels; first++)
    for (let second = first + 1; second < nLabels; second++) {
      const forwards = total(confusions, first, second);
      const n = forwards + total(confusions, second, first);
      if (n > 0) found.push({ first, second, n, forwards });
    }
  return found.sort((a, b) => b.n - a.n);
}

function total(confusions: readonly Pick<Confusion, "counts">[], row: number, column: number): number {
  return confusions.reduce((sum, { counts }) => sum + (counts[row]?.[column] ?? 0), 0);
}
