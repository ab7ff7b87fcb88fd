const NAME = "quorum";
const VERSION = 3;

export const OUTBOX = "outbox";
export const DRAFTS = "drafts";
export const OFFLINE = "offline";

export function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(NAME, VERSION);
    opening.onupgradeneeded = ({ oldVersion }) => {
      opening.result.createObjectStore(OFFLINE, { keyPath: ["userId", "key"] });
      if (oldVersion === 1) withoutSpans(opening.transaction);
      if (oldVersion > 0) return;
      const outbox = opening.result.createObjectStore(OUTBOX, { keyPath: "seq", autoIncrement: true });
      outbox.createIndex("userId", "userId");
      opening.result
        .createObjectStore(DRAFTS, { keyPath: ["userId", "assignmentId"] })
        .createIndex("userId", "userId");
    };
    opening.onsuccess = () => {
      // A newer page in another tab may need another version: do not stand in its way.
      opening.result.onversionchange = () => opening.result.close();
      resolve(opening.result);
    };
    opening.onerror = () => reject(storageError(opening.error));
  });
}

/** What an earlier page left knows no spans: it gets empty lists of them. */
function withoutSpans(upgrade: IDBTransaction | null): void {
  each(upgrade?.objectStore(DRAFTS), (draft) => ({ ...draft, spans: [] }));
  each(upgrade?.objectStore(OUTBOX), ({ assignment, ...entry }) => ({
    ...entry,
    assignment: {
      ...assignment,
      item: { ...assignment.item, sources: [], marks: [] },
      current: assignment.current && { ...assignment.current, spans: [] },
    },
  }));
}

// biome-ignore lint/suspicious/noExplicitAny: rows of an earlier version
function each(store: IDBObjectStore | undefined, change: (row: any) => unknown): void {
  if (!store) return;
  const walking = store.openCursor();
  walking.onsuccess = () => {
    const cursor = walking.result;
    if (!cursor) return;
    cursor.update(change(cursor.value));
    cursor.continue();
  };
}

/**
 * Runs `work` in one transaction and resolves with its request's result once the transaction is complete; one that
 * touches the outbox is then on disk ("strict"), not merely handed to the operating system.
 */
export function transact<T>(
  database: IDBDatabase,
  stores: string[],
  mode: IDBTransactionMode,
  work: (transaction: IDBTransaction) => IDBRequest<T> | null,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(stores, mode, {
      durability: stores.includes(OUTBOX) ? "strict" : "relaxed",
    });
    const request = work(transaction);
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = () => reject(storageError(transaction.error));
  });
}

function storageError(cause: DOMException | null): Error {
  const reason = cause ? `${cause.name}: ${cause.message}` : "no reason given";
  return new Error(
    `This browser could not store the answer (${reason}). It is still on the page: free some disk space, or leave private browsing, and submit again.`,
    { cause },
  );
}
