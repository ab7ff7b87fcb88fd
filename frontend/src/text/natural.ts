const NATURAL = new Intl.Collator("en", { numeric: true });

/** Compares ids in natural order: F2 before F10. */
export function naturally(a: { id: string }, b: { id: string }): number {
  return NATURAL.compare(a.id, b.id);
}
