import { type Database, DRAFTS, OUTBOX, transact } from "../browser/database";
import { queueOf } from "./order";
import type { Draft, NewEntry, OutboxEntry } from "./types";

interface StoredDraft extends Draft {
  userId: string;
  assignmentId: string;
}

/** The entries and drafts of one person in this browser's database. */
export class OutboxStore {
  private readonly database: Database;
  private readonly userId: string;

  constructor(database: Database, userId: string) {
    this.database = database;
    this.userId = userId;
  }

  async entries(): Promise<OutboxEntry[]> {
    return (await this.own<OutboxEntry>(OUTBOX)).sort((a, b) => a.seq - b.seq);
  }

  /** Adds the entry and drops the draft that it was made from, both or neither. */
  async commit(entry: NewEntry): Promise<OutboxEntry> {
    const row = { ...entry, refusal: null };
    const seq = await transact(this.database, [OUTBOX, DRAFTS], "readwrite", async (transaction) => {
      const dropping = transaction.objectStore(DRAFTS).delete([this.userId, queueOf(entry)]);
      const adding = transaction.objectStore(OUTBOX).add(row);
      // Nothing more is to come: a page that is left now does not take the entry with it.
      transaction.commit();
      await dropping;
      return adding;
    });
    return { ...row, seq: Number(seq) };
  }

  /** Writes `changed` and removes `removed` in one transaction; an entry that is gone is not brought back. */
  async apply(changed: OutboxEntry[], removed: number[]): Promise<void> {
    await transact(this.database, [OUTBOX], "readwrite", async (transaction) => {
      const outbox = transaction.objectStore(OUTBOX);
      for (const seq of removed) await outbox.delete(seq);
      for (const entry of changed)
        if ((await outbox.getKey(entry.seq)) !== undefined) await outbox.put(entry);
    });
  }

  async drafts(): Promise<Map<string, Draft>> {
    const found = await this.own<StoredDraft>(DRAFTS);
    return new Map(found.map(({ userId: _, assignmentId, ...draft }) => [assignmentId, draft]));
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

  private own<Row>(store: string): Promise<Row[]> {
    return transact(this.database, [store], "readonly", (transaction) =>
      transaction.objectStore(store).index("userId").getAll(this.userId),
    );
  }
}
