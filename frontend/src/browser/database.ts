import { type IDBPDatabase, type IDBPTransaction, openDB } from "idb";

const NAME = "quorum";
const VERSION = 4;

export const OUTBOX = "outbox";
export const DRAFTS = "drafts";
export const OFFLINE = "offline";

export type Database = IDBPDatabase;
type Transaction<Mode extends IDBTransactionMode> = IDBPTransaction<unknown, string[], Mode>;

export async function openDatabase(): Promise<Database> {
  const opening = openDB(NAME, VERSION, {
    async upgrade(database, oldVersion, _, transaction) {
      // From 3 to 4 only the outbox changed: it holds flags too, which a page of before must not send.
      if (oldVersion < 3) database.createObjectStore(OFFLINE, { keyPath: ["userId", "key"] });
      if (oldVersion === 1) await withoutSpans(transaction);
      if (oldVersion > 0) return;
      const outbox = database.createObjectStore(OUTBOX, { keyPath: "seq", autoIncrement: true });
      outbox.createIndex("userId", "userId");
      const drafts = database.createObjectStore(DRAFTS, { keyPath: ["userId", "assignmentId"] });
      drafts.createIndex("userId", "userId");
    },
    // A newer page in another tab may need another version: do not stand in its way.
    blocking: (_from, _to, { target }) => (target as IDBDatabase).close(),
  });
  return opening.catch(refuse);
}

/** What an earlier page left knows no spans: it gets empty lists of them. */
async function withoutSpans(upgrade: Transaction<"versionchange">): Promise<void> {
  await each(upgrade, DRAFTS, (draft) => ({ ...draft, spans: [] }));
  await each(upgrade, OUTBOX, ({ assignment, ...entry }) => ({
    ...entry,
    assignment: {
      ...assignment,
      item: { ...assignment.item, sources: [], marks: [] },
      current: assignment.current && { ...assignment.current, spans: [] },
    },
  }));
}

async function each(
  upgrade: Transaction<"versionchange">,
  store: string,
  // biome-ignore lint/suspicious/noExplicitAny: rows of an earlier version
  change: (row: any) => unknown,
): Promise<void> {
  for await (const cursor of upgrade.objectStore(store)) await cursor.update(change(cursor.value));
}

/**
 * Runs `work` in one transaction and resolves with its result once the transaction is complete; one that touches the
 * outbox is then on disk ("strict"), not merely handed to the operating system.
 */
export async function transact<T, Mode extends IDBTransactionMode>(
  database: Database,
  stores: string[],
  mode: Mode,
  work: (transaction: Transaction<Mode>) => Promise<T>,
): Promise<T> {
  const durability = stores.includes(OUTBOX) ? "strict" : "relaxed";
  const transaction = database.transaction(stores, mode, { durability });
  const result = work(transaction);
  // A request that fails takes the transaction with it, which knows why.
  await Promise.allSettled([result]);
  await transaction.done.catch(refuse);
  return result;
}

function refuse(cause: unknown): never {
  const reason = cause instanceof DOMException ? `${cause.name}: ${cause.message}` : "no reason given";
  throw new Error(
    `This browser could not store the answer (${reason}). It is still on the page: free some disk space, or leave private browsing, and submit again.`,
    { cause },
  );
}
