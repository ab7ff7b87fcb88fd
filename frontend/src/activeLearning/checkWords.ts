import type { CheckResult } from "../api/batches";
import { count, percent } from "../text/format";

/** "3 of 4: 75.0 % [30, 95]", in parts that stay on one line each; a dash where nothing was answered. */
export function checkShareWords({ answered, right, share, low, high }: CheckResult): string {
  if (share === null || low === null || high === null) return "–";
  const interval = `[${Math.round(100 * low)}, ${Math.round(100 * high)}]`;
  return [`${count(right)} of ${count(answered)}:`, percent(share), interval]
    .map((part) => part.replaceAll(" ", "\u00a0"))
    .join(" ");
}
