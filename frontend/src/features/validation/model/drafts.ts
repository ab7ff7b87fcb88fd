import type { Mark } from "../../../api/marks";

/** An edit in the making. `annotation` is what it was made from, null for nothing. */
export interface EditDraft {
  annotation: string | null;
  marks: readonly Mark[];
  /** Something would be lost with it. */
  isChanged: boolean;
}

/** Edits of one person: on the page, and in this browser over a reload, until they are stored or dropped. */
export class EditDrafts {
  private readonly userId: string;
  private readonly onPage = new Map<string, EditDraft>();

  constructor(userId: string) {
    this.userId = userId;
  }

  get(itemId: string): EditDraft | null {
    const kept = localStorage.getItem(this.key(itemId));
    return this.onPage.get(itemId) ?? (kept === null ? null : (JSON.parse(kept) as EditDraft));
  }

  /** False where the browser keeps nothing, or no more: then a reload loses it. */
  keep(itemId: string, draft: EditDraft): boolean {
    this.onPage.set(itemId, draft);
    try {
      localStorage.setItem(this.key(itemId), JSON.stringify(draft));
      return true;
    } catch (error) {
      if (error instanceof DOMException) return false;
      throw error;
    }
  }

  drop(itemId: string): void {
    this.onPage.delete(itemId);
    localStorage.removeItem(this.key(itemId));
  }

  private key(itemId: string): string {
    return `quorum.validation.${this.userId}.${itemId}`;
  }
}
