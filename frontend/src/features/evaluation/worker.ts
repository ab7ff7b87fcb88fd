import type { Workers } from "../../api/types";
import { duration } from "../../text/format";

/** Why evaluations do not run now; null while the model worker does. */
export function workerAway({ models }: Workers): string | null {
  if (models.alive) return null;
  const seen = models.seen_seconds_ago;
  return `The model worker, which runs evaluations, has stopped (${seen === null ? "never seen" : `last seen ${duration(seen)} ago`}).`;
}
