import { DRAFTS, OUTBOX, transact } from "../browser/database";
import type { Draft, NewEntry, OutboxEntry } from "./types";

interface StoredDraft extends Draft {
  userId: string;
  assignmentId: string;
}

/** The entries and drafts of one person in this browser's database. */
export class OutboxStore {
  private readonly database: IDBDatabase;
  private readonly userId: string;

  constructor(database: IDBDatabase, userId: string) {
    this.database = database;
    this.userId = userId;
  }

  async entries(): Promise<OutboxEntry[]> {
    const found = await transact<OutboxEntry[]>(this.database, [OUTBOX], "readonly", (transaction) =>
      transaction.objectStore(OUTBOX).index("userId").getAll(this.userId),
    );
    return (found ?? []).sort((a, b) => a.seq - b.seq);
  }

  /** Adds the entry and drops the draft that it was made from, both or neither. */
  async commit(entry: NewEntry): Promise<OutboxEntry> {
    const row = { ...entry, refusal: null };
    const seq = await transact(this.database, [OUTBOX, DRAFTS], "readwrite", (transaction) => {
      transaction.objectStore(DRAFTS).delete([this.userId, entry.assignment.id]);
      const adding = transaction.objectStore(OUTBOX).add(row);
      // Nothing more is to come: a page that is left now does not take the entry with it.
      transaction.commit();
      return adding;
    });
    return { ...row, seq: Number(seq) };
  }

  /** Writes `changed` and removes `removed` in one transaction; an entry that is gone is not brought back. */
  async apply(changed: OutboxEntry[], removed: number[]): Promise<void> {
    await transact(this.database, [OUTBOX], "readwrite", (transaction) => {
      const outbox = transaction.objectStore(OUTBOX);
      for (const seq of removed) outbox.delete(seq);
      for (const entry of changed) {
        const present = outbox.getKey(entry.seq);
        present.onsuccess = () => present.result !== undefined && outbox.put(entry);
      }
      return null;
    });
  }

  async drafts(): Promise<Map<string, Draft>> {
    const found = await transact<StoredDraft[]>(this.database, [DRAFTS], "readonly", (transaction) =>
      transaction.objectStore(DRAFTS).index("userId").getAll(this.userId),
    );
    return new Map((found ?? []).map(({ userId: _, assignmentId, ...draft }) => [assignmentId, draft]));
  }

  async saveDraft(assignmentId: string, draft: Draft): Promise<void> {
    await transact(this.database, [DRAFTS], "readwrite", (transaction) => {
      const putting = transaction.objectStore(DRAFTS).put({ ...draft, userId: this.userId, assignmentId });
      transaction.commit();
      return putting;
    });
  }

  async dropDraft(assignmentId: string): Promise<void> {
    await transact(this.database, [DRAFTS], "readwrite", (transaction) =>
      transaction.objectStore(DRAFTS).delete([this.userId, assignmentId]),
    );
  }
}
