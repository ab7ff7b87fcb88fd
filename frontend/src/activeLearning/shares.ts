import { isWhole } from "../text/whole";

/** Parts of a batch's slots by person, as they are typed; null: whoever asks first gets a slot. */
export type Shares = Record<string, string> | null;

const MOST_PARTS = 1_000;
const USUAL_PARTS = "1";

/** Slots can be divided only where an item has fewer than there are people. */
export function canDivide(annotators: readonly string[], perItem: number): boolean {
  return perItem >= 1 && perItem < annotators.length;
}

export function partsShown(shares: Shares, person: string): string {
  return shares?.[person] ?? USUAL_PARTS;
}

/** What is sent: nothing where nobody divided anything. */
export function sharesBody(
  shares: Shares,
  annotators: readonly string[],
  perItem: number,
): { shares?: Record<string, number> } {
  if (shares === null || !canDivide(annotators, perItem)) return {};
  return {
    shares: Object.fromEntries(annotators.map((person) => [person, Number(partsShown(shares, person))])),
  };
}

/** What is wrong with what was typed, by the field's name on the server. */
export function sharesFaults(
  shares: Shares,
  annotators: readonly string[],
  perItem: number,
): Record<string, string[]> {
  const typed = Object.values(sharesBody(shares, annotators, perItem).shares ?? {});
  const isFit = typed.every((parts) => isWhole(String(parts)) && parts >= 1 && parts <= MOST_PARTS);
  return isFit ? {} : { shares: [`Write a whole number from 1 to ${MOST_PARTS} for everybody.`] };
}

/** "50 %": of all answers of the batch. */
export function partOfAll(shares: Shares, annotators: readonly string[], person: string): number | null {
  const parts = (each: string) => Number(partsShown(shares, each));
  const total = annotators.reduce((sum, each) => sum + parts(each), 0);
  return total > 0 && Number.isFinite(total) ? parts(person) / total : null;
}
