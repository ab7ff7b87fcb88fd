import type { KeptDrafts } from "../kept/drafts";
import type { OutboxStore } from "./store";
import type { Draft } from "./types";

/** Drafts of a page that was left before the database had them: written in one step, without waiting. */
export type DraftNotes = Pick<KeptDrafts<Draft>, "keep" | "find" | "all" | "drop">;

interface Listeners {
  /** This tab has the item's newest draft: it has written or read it. */
  isHere: (assignmentId: string) => void;
  /** The draft changed, so that what other tabs have of it is the older one. */
  changed: (assignmentId: string) => void;
}

/** What one person began on items and has not submitted: in memory, in the browser's database, and as notes. */
export class ItemDrafts {
  private readonly store: OutboxStore;
  private readonly notes: DraftNotes;
  private readonly listeners: Listeners;
  private kept = new Map<string, Draft>();
  private keeps = true;

  constructor(store: OutboxStore, notes: DraftNotes, listeners: Listeners) {
    this.store = store;
    this.notes = notes;
    this.listeners = listeners;
  }

  async open(): Promise<void> {
    this.kept = await this.store.drafts();
  }

  get(assignmentId: string): Draft | undefined {
    return this.kept.get(assignmentId);
  }

  /** `isChange`: not only its time has gone on. */
  async save(assignmentId: string, draft: Draft, isChange: boolean): Promise<void> {
    if (!this.keeps) return;
    const since = Date.now();
    this.kept.set(assignmentId, draft);
    await this.store.saveDraft(assignmentId, draft);
    this.dropNote(assignmentId, since);
    if (!isChange) return;
    this.listeners.isHere(assignmentId);
    this.listeners.changed(assignmentId);
  }

  /** Keeps a draft at once, for a page that is being left: what the database is given then may not arrive. */
  note(assignmentId: string, draft: Draft): void {
    if (this.keeps) this.notes.keep(assignmentId, draft);
  }

  /** A note is newer than the database's draft; one whose submit is on its way already says nothing more. */
  async takeUpNotes(isSubmitted: (assignmentId: string, draft: Draft) => boolean): Promise<void> {
    for (const [assignmentId, { draft }] of this.notes.all()) {
      if (!isSubmitted(assignmentId, draft)) {
        this.kept.set(assignmentId, draft);
        await this.store.saveDraft(assignmentId, draft);
      }
      this.notes.drop(assignmentId);
    }
  }

  /** Reads again what another tab has made of it. */
  async reread(assignmentId: string): Promise<void> {
    const draft = (await this.store.drafts()).get(assignmentId);
    if (draft) this.kept.set(assignmentId, draft);
    else this.kept.delete(assignmentId);
    this.listeners.isHere(assignmentId);
  }

  async drop(assignmentId: string): Promise<void> {
    this.forget(assignmentId);
    await this.store.dropDraft(assignmentId);
  }

  /** For a draft that the database has dropped itself, with the submit that was made from it. */
  forget(assignmentId: string): void {
    this.kept.delete(assignmentId);
    this.notes.drop(assignmentId);
  }

  /** On how many items the person began to write: a comment of their own or a span's, not submitted. */
  written(): number {
    const isWritten = ({ comment, spans }: Draft) =>
      [comment, ...spans.map((span) => span.comment)].some(Boolean);
    return [...this.kept.values()].filter(isWritten).length;
  }

  /** Deletes all that the person began and did not submit, and keeps no more of it on this page. */
  async dropAll(): Promise<void> {
    this.keeps = false;
    for (const assignmentId of [...this.kept.keys()]) await this.drop(assignmentId);
  }

  /** The database has what was noted before `since`. */
  private dropNote(assignmentId: string, since: number): void {
    const note = this.notes.find(assignmentId);
    if (note && note.at <= since) this.notes.drop(assignmentId);
  }
}
