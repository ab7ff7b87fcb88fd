import { isWhole } from "../text/whole";

/** Which practice check items come from, and how many in percent of the items, as typed; null: none. */
export type Checks = { practice: string; percent: string } | null;

export const USUAL_CHECKS: Checks = { practice: "", percent: "5" };
const MOST_PERCENT = 20;

/** What is sent: nothing where none are asked for. */
export function checksBody(checks: Checks): { check_items?: { practice: string; percent: number } } {
  return checks ? { check_items: { practice: checks.practice, percent: Number(checks.percent) } } : {};
}

/** What is wrong with what was typed, by the field's name on the server. */
export function checksFaults(checks: Checks): Record<string, string[]> {
  if (!checks) return {};
  const percent = Number(checks.percent);
  const isFit = isWhole(checks.percent) && percent >= 1 && percent <= MOST_PERCENT;
  return {
    ...(!checks.practice && { "check_items.practice": ["Choose the practice that they come from."] }),
    ...(!isFit && { "check_items.percent": [`Write a whole number from 1 to ${MOST_PERCENT}.`] }),
  };
}

export const CHECK_FIELDS = ["check_items", "check_items.practice", "check_items.percent"];

/** How many check items come to so many items; null where the numbers are not typed yet. */
export function checkCount(nItems: number, checks: { percent: string | number } | null): number | null {
  const n = Math.max(1, Math.floor((2 * nItems * Number(checks?.percent) + 100) / 200));
  return checks && Number.isFinite(n) && nItems > 0 ? n : null;
}
