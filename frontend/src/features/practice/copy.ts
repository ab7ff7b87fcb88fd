import type { Practice } from "../../api/practice";
import { counted } from "../../text/format";

type Person = Practice["people"][number];

/** "75 % of 10 items, 2 attempts". */
export function marksWords({ pass_mark, attempts, n_items }: Practice): string {
  return `${counted(n_items, "item")}, passed with ${pass_mark} % right, ${counted(attempts, "attempt")}`;
}

export function stateWords({ opened_at, closed_at, n_items, n_keys }: Practice): string {
  if (closed_at) return "closed";
  if (opened_at) return "open";
  return n_items === 0 ? "draft without items" : `draft: ${n_keys} of ${n_items} keys written`;
}

export function standingWords({ standing, attempts }: Person): string {
  const last = attempts.at(-1);
  const of = last ? `: ${last.right} of ${last.total} right` : "";
  switch (standing) {
    case "not_begun":
      return "not begun";
    case "working":
      return `at attempt ${last?.number}: ${last?.done} of ${last?.total} answered`;
    case "again":
      return `not passed yet${of}`;
    case "failed":
      return `not passed${of}`;
    case "passed":
      return `passed${of}`;
  }
}
