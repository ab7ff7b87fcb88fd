/** A text that the server does not have yet, with the revision that it was written from. */
export interface Draft {
  text: string;
  revision: number;
}

/** Keeps unsaved texts of one person and project in the browser, so that neither a reload nor a sign-out loses them. */
export class Drafts {
  private readonly prefix: string;

  constructor(userId: string, projectId: string) {
    this.prefix = `quorum.datasheet.${userId}.${projectId}.`;
  }

  read(question: string): Draft | null {
    const kept = localStorage.getItem(this.prefix + question);
    return kept === null ? null : (JSON.parse(kept) as Draft);
  }

  /** false: the browser has no room for it, or keeps nothing. */
  write(question: string, draft: Draft): boolean {
    try {
      localStorage.setItem(this.prefix + question, JSON.stringify(draft));
      return true;
    } catch (error) {
      if (error instanceof DOMException) return false;
      throw error;
    }
  }

  drop(question: string): void {
    localStorage.removeItem(this.prefix + question);
  }
}
