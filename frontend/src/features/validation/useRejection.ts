import { useMemo, useState } from "react";
import { KeptDrafts } from "../../kept/drafts";
import { useAskBeforeLeaving } from "../../kept/leaving";

/** The reason of a rejection in the making; empty where none is. */
export interface Rejection {
  reason: string;
  write: (reason: string) => void;
  drop: () => void;
}

/** Kept in the browser from the first letter until it is stored or dropped. */
export function useRejection(userId: string, itemId: string): Rejection {
  const drafts = useMemo(() => new KeptDrafts<string>(userId, "rejection"), [userId]);
  const [reason, setReason] = useState(() => drafts.get(itemId) ?? "");
  const [isAtRisk, setAtRisk] = useState(false);
  useAskBeforeLeaving(isAtRisk ? "This browser could not keep the reason that you wrote." : null);
  const write = (words: string) => {
    setReason(words);
    if (words.trim() === "") drafts.drop(itemId);
    setAtRisk(words.trim() !== "" && !drafts.keep(itemId, words));
  };
  return { reason, write, drop: () => write("") };
}
