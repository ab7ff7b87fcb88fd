import { useCallback, useEffect, useRef, useState } from "react";
import { useOutbox } from "../../outbox/OutboxProvider";
import type { Draft } from "../../outbox/types";
import type { TimeKeeper } from "./model/timeKeeper";

export type Unsaved = Omit<Draft, "activeMs" | "wallMs">;

/**
 * Keeps the draft of one item: written at every change and when the page is left, dropped when nothing is left to keep.
 * `hold(true)` stops that while a submit takes the draft's place.
 */
export function useDraft(assignmentId: string, draft: Unsaved, isWorthKeeping: boolean, time: TimeKeeper) {
  const outbox = useOutbox();
  const held = useRef(false);
  const [failure, setFailure] = useState<unknown>(null);
  if (failure) throw failure;

  const write = () => {
    if (held.current) return;
    if (isWorthKeeping) outbox.saveDraft(assignmentId, { ...draft, ...time.spent() }).catch(setFailure);
    else if (outbox.draft(assignmentId)) outbox.dropDraft(assignmentId).catch(setFailure);
  };
  const latest = useRef(write);
  useEffect(() => {
    latest.current = write;
  });

  const asFound = useRef(draft);
  useEffect(() => {
    if (isSame(asFound.current, draft)) return;
    asFound.current = draft;
    latest.current();
  });

  useEffect(() => {
    const leave = () => {
      if (document.visibilityState === "hidden") latest.current();
    };
    document.addEventListener("visibilitychange", leave);
    return () => {
      document.removeEventListener("visibilitychange", leave);
      latest.current();
    };
  }, []);

  return useCallback((hold: boolean) => {
    held.current = hold;
  }, []);
}

/** Whatever changes is a new object; a draft may be long, so that its parts are not looked into. */
function isSame(a: Unsaved, b: Unsaved): boolean {
  return (Object.keys(a) as (keyof Unsaved)[]).every((part) => a[part] === b[part]);
}
