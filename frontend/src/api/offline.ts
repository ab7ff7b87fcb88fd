import type { IDBPObjectStore } from "idb";
import { type Database, OFFLINE, openDatabase, transact } from "../browser/database";
import { signedInHere } from "../browser/signedIn";
import { isApiError } from "./errors";
import type { LabelWindow } from "./types";

interface Snapshot {
  userId: string;
  key: string;
  value: unknown;
}

/** Keeps what the server answered for a page that is loaded without a network; `userId` is whose it is. */
export async function remember(key: string, value: unknown, userId = signedInHere()): Promise<void> {
  if (userId) await inStore("readwrite", (store) => store.put({ userId, key, value } satisfies Snapshot));
}

export async function recall<T>(key: string): Promise<T | undefined> {
  const userId = signedInHere();
  if (!userId) return undefined;
  const found: Snapshot | undefined = await inStore("readonly", (store) => store.get([userId, key]));
  return found?.value as T | undefined;
}

/** Leaves only what belongs to `userId`: somebody else's must not be found here, even without a network. */
export async function keepOnlyOf(userId: string | null): Promise<void> {
  await inStore("readwrite", async (store) => {
    for (const key of (await store.getAllKeys()) as [string, string][])
      if (key[0] !== userId) await store.delete(key);
  });
}

type OfflineStore<Mode extends IDBTransactionMode> = IDBPObjectStore<unknown, string[], typeof OFFLINE, Mode>;

/** A browser that keeps nothing, or nothing more, works with a network only. */
async function inStore<T, Mode extends IDBTransactionMode>(
  mode: Mode,
  work: (store: OfflineStore<Mode>) => Promise<T>,
): Promise<T | undefined> {
  if (!("indexedDB" in globalThis)) return undefined;
  let database: Database | null = null;
  try {
    database = await openDatabase();
    return await transact(database, [OFFLINE], mode, (all) => work(all.objectStore(OFFLINE)));
  } catch (error) {
    if (error instanceof Error && error.cause instanceof DOMException) return undefined;
    throw error;
  } finally {
    database?.close();
  }
}

interface Asking {
  signal: AbortSignal;
  client: { getQueryData: (key: readonly unknown[]) => unknown };
  queryKey: readonly unknown[];
}

/**
 * Options of a query that works without a network: the server's answer is kept, and stands in where the server cannot
 * be reached and the page has nothing yet. `key` names it in this browser, `owner` says whose an answer is.
 */
export function offline<T>(
  key: string,
  ask: (signal: AbortSignal) => Promise<T>,
  { owner = () => signedInHere(), adapt = (kept: T) => Promise.resolve(kept) } = {} as Offline<T>,
) {
  return {
    // One try without a network, for what is kept; more once there is one.
    networkMode: "offlineFirst" as const,
    refetchOnReconnect: "always" as const,
    queryFn: async ({ signal, client, queryKey }: Asking): Promise<T> => {
      try {
        const found = await ask(signal);
        void remember(key, found, owner(found));
        return found;
      } catch (error) {
        if (!isApiError(error) || !error.isTemporary || client.getQueryData(queryKey) !== undefined)
          throw error;
        const kept = await recall<T>(key);
        if (kept === undefined) throw error;
        return adapt(kept);
      }
    },
  };
}

interface Offline<T> {
  owner?: (found: T) => string | null;
  /** What has changed since the answer was kept. */
  adapt?: (kept: T) => Promise<T>;
}

interface Standing extends Pick<LabelWindow, "held" | "state" | "progress"> {
  at: number;
}

const standingKey = (projectId: string) => `standing.${projectId}`;

/**
 * Keeps how a person stands after a submit, so that nothing that is done comes again or is not counted. `at` is when it
 * was true at the earliest: a window that was asked for before the submit may arrive after it.
 */
export async function rememberStanding(
  projectId: string,
  { held, state, progress }: LabelWindow,
  at = Date.now(),
): Promise<void> {
  const known = await recall<Standing>(standingKey(projectId));
  if (known && known.at > at) return;
  await remember(standingKey(projectId), { held, state, progress, at } satisfies Standing);
}

/** A kept window as it is after the submits that the server took since. */
export async function withStanding(projectId: string, window: LabelWindow): Promise<LabelWindow> {
  const { held, state, progress } = (await recall<Standing>(standingKey(projectId))) ?? window;
  const assignments = window.assignments.filter(({ id }) => held.includes(id));
  return { ...window, held, state, progress, assignments };
}
