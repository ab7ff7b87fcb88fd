import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { doneItems } from "../../annotate/doneItems";
import { ownPracticesQuery } from "../../api/practice";
import { doneQuery, nextQuery } from "../../api/queries";
import type { Assignment, LabelWindow } from "../../api/types";
import { useOutboxState } from "../../outbox/OutboxProvider";
import { countedProgress, currentOf, newestWindow, queueOf, runsLow } from "./model/window";

/** A batch may open, or another person finish, while nobody presses a key. */
const LOOK_AGAIN_MS = 15_000;

/** The person's place in the open batch: the item at hand, what is done, and how the batch stands. */
export function useLabelling(projectId: string) {
  const outbox = useOutboxState();
  const next = useQuery({
    ...nextQuery(projectId),
    refetchInterval: ({ state }) => (state.data && state.data.state !== "ok" ? LOOK_AGAIN_MS : false),
  });
  const done = useQuery(doneQuery(projectId));
  const isResting = next.data !== undefined && next.data.state !== "ok";
  // Held here, so that it is not asked anew with each item; a practice may be opened while there is no work.
  useQuery({ ...ownPracticesQuery(projectId), refetchInterval: isResting ? LOOK_AGAIN_MS : false });
  const { data, dataUpdatedAt } = next;
  const refill = outbox.refills.get(projectId);
  const window = useMemo(
    () => newestWindow(data ? { window: data, at: dataUpdatedAt } : null, refill),
    [data, dataUpdatedAt, refill],
  );
  const queue = useMemo(() => (window ? queueOf(window, outbox) : []), [window, outbox]);
  const current = useCurrent(queue);
  const waits = outbox.entries.some((entry) => entry.projectId === projectId);
  useLookAgain(window, queue.length === 0 && !waits, next.refetch);
  useLoadAhead(window !== null && runsLow(window, queue), outbox.connection === "fine", next);
  return {
    current,
    window,
    waits,
    isSignedOut: outbox.connection === "signed-out",
    error: window ? null : next.error,
    retry: next.refetch,
    progress: window && countedProgress(window, outbox),
    // A window that an earlier version of this page has kept names none.
    toCompare: window?.to_compare ?? [],
    done: doneItems(done.data?.assignments ?? [], projectId, outbox),
    doneFailed: done.error,
  };
}

function useCurrent(queue: Assignment[]): Assignment | null {
  const outbox = useOutboxState();
  const [shown, setShown] = useState<Assignment | null>(null);
  const current = currentOf(shown, queue, outbox);
  if (current !== shown) setShown(current);
  return current;
}

/** A window that is used up although the server has more to give is asked for again. */
function useLookAgain(window: LabelWindow | null, isUsedUp: boolean, refetch: () => void): void {
  const [askedFor, setAskedFor] = useState<LabelWindow | null>(null);
  useEffect(() => {
    if (!window || !isUsedUp || window.state !== "ok" || askedFor === window) return;
    setAskedFor(window);
    refetch();
  }, [window, isUsedUp, askedFor, refetch]);
}

/** Loads more before what is loaded runs out, at most once in a while: of what others compete for, there may be no more. */
function useLoadAhead(isLow: boolean, isOnline: boolean, next: UseQueryResult<LabelWindow>): void {
  const { refetch, dataUpdatedAt } = next;
  useEffect(() => {
    if (!isLow || !isOnline) return;
    const wait = Math.max(0, dataUpdatedAt + LOOK_AGAIN_MS - Date.now());
    const timer = setTimeout(() => void refetch(), wait);
    return () => clearTimeout(timer);
  }, [isLow, isOnline, refetch, dataUpdatedAt]);
}
