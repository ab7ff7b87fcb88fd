import { count } from "./format";

/** " Left out: no majority (12), left out by an admin (3)." */
export function leftOutWords(left: readonly { reason: string; n: number }[]): string {
  const parts = left.filter(({ n }) => n > 0).map(({ reason, n }) => `${reason} (${count(n)})`);
  return parts.length === 0 ? "" : ` Left out: ${parts.join(", ")}.`;
}
