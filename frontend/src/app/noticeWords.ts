import type { Notice } from "../api/notices";
import { batchName, capitalised, counted } from "../text/format";

interface Told {
  words: string;
  /** Below the project's address: where it is done or read. */
  path: string;
}

/** What a notice says, and where it leads. */
export function told(notice: Notice): Told {
  const { kind, n, number, batch } = notice;
  const named = batchName(batch || "round", number ?? 0);
  const of: Record<Notice["kind"], Told> = {
    question: {
      words: `${counted(n, "flag")} ${n === 1 ? "waits" : "wait"} for your answer`,
      path: "comments?kind=flag&state=waiting",
    },
    answer: { words: `${counted(n, "new answer")} on your flags`, path: "flags" },
    note: { words: "A note beside the codebook", path: "flags" },
    batch: { words: `${capitalised(named)} is open: ${counted(n, "item")} for you`, path: "label" },
    failed: { words: `${capitalised(named)} failed`, path: "rounds" },
    complete: { words: `${capitalised(named)} is complete`, path: "rounds" },
    validate: { words: `${counted(n, "item")} to validate`, path: "validation" },
    decide: { words: `${counted(n, "item")} without a majority`, path: "adjudication" },
    agree: {
      words: `${counted(n, "item")} to agree on after a second look`,
      path: "adjudication?phase=2",
    },
    release: { words: `Release ${number} is made`, path: "releases" },
  };
  return of[kind];
}
