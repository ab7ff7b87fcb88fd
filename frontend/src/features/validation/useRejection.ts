import { useMemo, useState } from "react";
import { KeptDrafts } from "../../components/keptDrafts";

/** The reason of a rejection in the making; empty where none is. */
export interface Rejection {
  reason: string;
  write: (reason: string) => void;
  drop: () => void;
}

/** Kept in the browser from the first letter until it is stored or dropped. */
export function useRejection(userId: string, itemId: string): Rejection {
  const drafts = useMemo(() => new KeptDrafts<string>(`quorum.rejection.${userId}`), [userId]);
  const [reason, setReason] = useState(() => drafts.get(itemId) ?? "");
  const write = (words: string) => {
    setReason(words);
    if (words.trim() === "") drafts.drop(itemId);
    else drafts.keep(itemId, words);
  };
  return { reason, write, drop: () => write("") };
}
