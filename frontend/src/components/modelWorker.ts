import type { Workers } from "../api/types";
import { duration } from "../text/format";

/** Why the model worker takes nothing up; null while it does. `runs`: what it is needed for. */
export function modelWorkerAway({ models }: Workers, runs: string): string | null {
  if (models.alive) return null;
  const seen = models.seen_seconds_ago;
  return `The model worker, which runs ${runs}, has stopped (${seen === null ? "never seen" : `last seen ${duration(seen)} ago`}).`;
}
