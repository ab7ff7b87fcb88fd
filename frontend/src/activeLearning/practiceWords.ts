import type { Annotator } from "../api/annotators";

type Standing = Pick<Annotator["practices"][number], "standing" | "attempts">;

/** How somebody stands in a practice: "passed: 9 of 10 right". */
export function standingWords({ standing, attempts }: Standing): string {
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
