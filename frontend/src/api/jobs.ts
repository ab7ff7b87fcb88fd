/** What holds for all jobs of the model worker that a page follows. */
interface Job {
  state: string;
}

export function isUnfinished({ state }: Job): boolean {
  return state === "waiting" || state === "running";
}

const SOON_MS = 2_000;
const LATER_MS = 10_000;

/** How often a list is asked for: each 2 s while something is to come. A hidden tab asks nothing (the client's default). */
export function listInterval(query: { state: { data?: readonly Job[] | undefined } }): number {
  return query.state.data?.some(isUnfinished) ? SOON_MS : LATER_MS;
}

/** How often one is asked for; what is done is never changed. Another admin may resume one that was stopped. */
export function oneInterval({ state: { data } }: { state: { data?: Job | undefined } }): number | false {
  if (data?.state === "done") return false;
  return data && !isUnfinished(data) ? LATER_MS : SOON_MS;
}
