import type { Practice } from "../../api/practice";
import { counted } from "../../text/format";

/** "75 % of 10 items, 2 attempts". */
export function marksWords({ pass_mark, attempts, n_items }: Practice): string {
  return `${counted(n_items, "item")}, passed with ${pass_mark} % right, ${counted(attempts, "attempt")}`;
}

export function stateWords({ opened_at, closed_at, n_items, n_keys }: Practice): string {
  if (closed_at) return "closed";
  if (opened_at) return "open";
  return n_items === 0 ? "draft without items" : `draft: ${n_keys} of ${n_items} keys written`;
}
