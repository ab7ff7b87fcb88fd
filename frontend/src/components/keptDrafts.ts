/** What one person has not stored yet: on the page, and in this browser over a reload, until it is stored or dropped. */
export class KeptDrafts<Draft> {
  private readonly prefix: string;
  private readonly onPage = new Map<string, Draft>();

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  get(name: string): Draft | null {
    const kept = localStorage.getItem(this.key(name));
    return this.onPage.get(name) ?? (kept === null ? null : (JSON.parse(kept) as Draft));
  }

  /** False where the browser keeps nothing, or no more: then a reload loses it. */
  keep(name: string, draft: Draft): boolean {
    this.onPage.set(name, draft);
    try {
      localStorage.setItem(this.key(name), JSON.stringify(draft));
      return true;
    } catch (error) {
      if (error instanceof DOMException) return false;
      throw error;
    }
  }

  drop(name: string): void {
    this.onPage.delete(name);
    localStorage.removeItem(this.key(name));
  }

  private key(name: string): string {
    return `${this.prefix}.${name}`;
  }
}
