import { useCallback, useEffect, useRef, useState } from "react";
import { useOutbox } from "../../outbox/OutboxProvider";
import type { Draft } from "../../outbox/types";
import type { TimeKeeper } from "./model/timeKeeper";

type Unsaved = Omit<Draft, "activeMs" | "wallMs">;

/** A draft of a long text is large: while somebody types it is written this often at most. */
const REST_MS = 300;

/**
 * Keeps the draft of one item: written when it changes, noted in one step when the page is left, dropped when nothing is left to keep.
 * A page that is left without a change of its own writes nothing over what another tab changed since.
 * `hold(true)` stops all that while a submit takes the draft's place.
 */
export function useDraft(assignmentId: string, draft: Unsaved, isWorthKeeping: boolean, time: TimeKeeper) {
  const outbox = useOutbox();
  const held = useRef(false);
  const [failure, setFailure] = useState<unknown>(null);
  if (failure) throw failure;

  const isNews = useRef(false);
  // Even while a submit is on its way to the disk: of the two, whichever arrives holds the answers.
  const note = () => {
    if (isNews.current && isWorthKeeping) outbox.drafts.note(assignmentId, { ...draft, ...time.spent() });
  };
  const write = () => {
    const isChange = isNews.current;
    if (held.current || (!isChange && outbox.snapshot().elsewhere.has(assignmentId))) return;
    isNews.current = false;
    if (isWorthKeeping)
      outbox.drafts.save(assignmentId, { ...draft, ...time.spent() }, isChange).catch(setFailure);
    else if (outbox.drafts.get(assignmentId)) outbox.drafts.drop(assignmentId).catch(setFailure);
  };
  const latest = useRef(write);
  const latestNote = useRef(note);
  useEffect(() => {
    latest.current = write;
    latestNote.current = note;
  });

  const asFound = useRef(draft);
  const waiting = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => {
    if (isSame(asFound.current, draft)) return;
    asFound.current = draft;
    isNews.current = true;
    waiting.current ??= setTimeout(() => {
      waiting.current = null;
      latest.current();
    }, REST_MS);
  });

  useEffect(() => {
    const leave = () => {
      latestNote.current();
      latest.current();
    };
    const hide = () => {
      if (document.visibilityState === "hidden") leave();
    };
    document.addEventListener("visibilitychange", hide);
    window.addEventListener("pagehide", leave);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      window.removeEventListener("pagehide", leave);
      clearTimeout(waiting.current ?? undefined);
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
