import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { api } from "../api/endpoints";
import { isApiError } from "../api/errors";
import { listApi, rememberStep } from "../api/factoids";
import { flagsApi } from "../api/flags";
import { rememberStanding } from "../api/offline";
import { nextQuery } from "../api/queries";
import { openDatabase } from "../browser/database";
import { signedInHere } from "../browser/signedIn";
import { Loading } from "../components/states";
import { KeptDrafts } from "../kept/drafts";
import { browserLock } from "./lock";
import { Outbox, type OutboxParts } from "./outbox";
import { OutboxStore } from "./store";
import type { Draft, OutboxState } from "./types";

const OutboxContext = createContext<Outbox | null>(null);

export function useOutbox(): Outbox {
  const outbox = useContext(OutboxContext);
  if (!outbox) throw new Error("useOutbox is used outside OutboxProvider");
  return outbox;
}

export function useOutboxState(): OutboxState {
  const outbox = useOutbox();
  return useSyncExternalStore(outbox.subscribe, outbox.snapshot);
}

/** Opens the person's outbox and keeps sending while any page of the site is open. */
export function OutboxProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const [outbox, setOutbox] = useState<Outbox | null>(null);
  const [broken, setBroken] = useState<unknown>(null);
  const queries = useQueryClient();
  useEffect(() => {
    let mine: Outbox | null = null;
    let left = false;
    const start = async () => {
      mine = await browserOutbox(userId, (projectId) => queries.getQueryData(nextQuery(projectId).queryKey));
      if (left) return mine.stop();
      setOutbox(mine);
      await mine.run();
    };
    start().catch(setBroken);
    const retry = () => mine?.retryNow();
    window.addEventListener("online", retry);
    return () => {
      left = true;
      window.removeEventListener("online", retry);
      mine?.stop();
    };
  }, [userId, queries]);
  // Without its outbox the page could lose an answer: the error page says so instead.
  if (broken) throw broken;
  if (!outbox) return <Loading what="your unsent work" />;
  return <OutboxContext value={outbox}>{children}</OutboxContext>;
}

async function browserOutbox(userId: string, loaded: OutboxParts["loaded"]): Promise<Outbox> {
  const store = new OutboxStore(await openDatabase(), userId);
  const outbox = new Outbox({
    userId,
    store,
    notes: new KeptDrafts<Draft>(userId, "label"),
    channel: new BroadcastChannel(`quorum-outbox-${userId}`),
    lock: browserLock,
    send: (entry, known) => api.annotate(entry.assignment, entry.body, known),
    loaded,
    sendStep: (entry) => listApi.revise(entry.list.id, entry.body),
    sendFlag: (entry) => flagsApi.flag(entry.flagged.id, entry.body),
    remember: rememberStanding,
    rememberStep: ({ listId, step, revision }) => rememberStep(listId, step, revision),
    signedIn: signedInHere,
    whoAmI,
  });
  await outbox.open();
  return outbox;
}

async function whoAmI(): Promise<string | null> {
  try {
    return (await api.me()).id;
  } catch (error) {
    if (isApiError(error, 401)) return null;
    throw error;
  }
}
