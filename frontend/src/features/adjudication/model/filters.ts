/** Which disagreements are listed: kept in the address, so that a list can be gone back to. */

export const KINDS = ["open", "tie", "no_majority", "few", "any", "decided", "revised"] as const;
export type Kind = (typeof KINDS)[number];

export interface Filters {
  kind: Kind;
  /** null: any stage. */
  stage: string | null;
  /** null: all rounds. */
  round: number | null;
  /** 1: independent answers, to adjudicate. 2: after second looks, to record a consensus. */
  phase: 1 | 2;
}

export function filtersFrom(asked: URLSearchParams): Filters {
  const kind = KINDS.find((each) => each === asked.get("kind")) ?? "open";
  const round = Number(asked.get("round"));
  return {
    kind,
    stage: asked.get("stage") || null,
    round: Number.isInteger(round) && round > 0 ? round : null,
    phase: asked.get("phase") === "2" ? 2 : 1,
  };
}

/** What is not the usual, for the server. */
export function asQuery({ kind, stage, round, phase }: Filters) {
  return {
    ...(kind !== "open" && { kind }),
    ...(stage !== null && { stage }),
    ...(round !== null && { round }),
    ...(phase === 2 && { phase }),
  };
}

/** The same for the address. */
export function asAddress(filters: Filters): Record<string, string> {
  return Object.fromEntries(Object.entries(asQuery(filters)).map(([name, value]) => [name, String(value)]));
}

export function pathTo(projectId: string, filters: Filters, itemId = ""): string {
  const query = new URLSearchParams(asAddress(filters)).toString();
  const end = itemId && `/${itemId}`;
  return `/projects/${projectId}/adjudication${end}${query && `?${query}`}`;
}
