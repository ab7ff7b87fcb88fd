import type { Workers } from "../api/types";
import { duration } from "../text/format";

/** Why the light worker takes nothing up; null while it does. `does`: what it is needed for; `then`: what to do once it runs. */
export function lightWorkerAway({ broker, light }: Workers, does: string, then: string): string | null {
  if (!broker) return `The job queue has stopped, so that nothing can begin. Start it again, then ${then}.`;
  if (light.alive) return null;
  const seen =
    light.seen_seconds_ago === null ? "never seen" : `last seen ${duration(light.seen_seconds_ago)} ago`;
  return `The import and release worker, which ${does}, has stopped (${seen}). Start it, then ${then}.`;
}
