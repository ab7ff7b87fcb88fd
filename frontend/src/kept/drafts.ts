import { ownName } from "../browser/base";
import { quietly } from "../browser/quietly";

/** Longer ones are not kept: one text must not take all the room that a browser gives a site (about five million characters). */
const LONGEST = 1_000_000;
const PREFIX = ownName("quorum.kept");

/** What somebody typed and has not saved. */
export interface Kept<Draft> {
  draft: Draft;
  /** Milliseconds since 1970 by this browser's clock. */
  at: number;
  /** The version of the object that it was typed beside; empty where it has none. */
  base: string;
}

/**
 * Keeps what one person typed and has not saved, by kind and name, in this browser: at once with every change, over
 * reloads and sign-outs, until it is saved or discarded. The key holds the person's id, so that nobody else sees it.
 */
export class KeptDrafts<Draft> {
  private readonly prefix: string;
  /** What the browser refuses to keep lasts as long as the page. */
  private readonly onPage = new Map<string, Kept<Draft>>();

  constructor(userId: string, kind: string) {
    this.prefix = `${ownedBy(userId)}${kind}.`;
  }

  get(name: string): Draft | null {
    return this.find(name)?.draft ?? null;
  }

  find(name: string): Kept<Draft> | null {
    return this.onPage.get(name) ?? parsed<Draft>(quietly(() => localStorage.getItem(this.prefix + name)));
  }

  /** All of this kind, by name. */
  all(): Map<string, Kept<Draft>> {
    const names = keysOf(this.prefix).map((key) => key.slice(this.prefix.length));
    return new Map(
      names.flatMap((name) => {
        const kept = this.find(name);
        return kept ? [[name, kept] as const] : [];
      }),
    );
  }

  /** False where the browser keeps nothing, or no more: then a reload loses it. */
  keep(name: string, draft: Draft, base = ""): boolean {
    const kept = { draft, at: Date.now(), base };
    const written = JSON.stringify(kept);
    this.onPage.set(name, kept);
    if (written.length > LONGEST) {
      // An older state of it would come back after a reload as if it were the last one.
      quietly(() => localStorage.removeItem(this.prefix + name));
      return false;
    }
    const isKept = quietly(() => {
      localStorage.setItem(this.prefix + name, written);
      return true;
    });
    if (isKept) this.onPage.delete(name);
    return isKept ?? false;
  }

  /**
   * Calls `heard` when another tab of this browser kept or dropped the text of this name. What the browser could not
   * keep is on this page alone, and goes on.
   */
  watch(name: string, heard: () => void): () => void {
    const written = () => quietly(() => localStorage.getItem(this.prefix + name));
    let atLeaving = written();
    const tell = () => {
      if (!this.onPage.has(name)) heard();
    };
    const stored = ({ key }: StorageEvent) => {
      if (key === null || key === this.prefix + name) tell();
    };
    const hidden = () => {
      atLeaving = written();
    };
    // A page that the browser put aside, and shows again, heard nothing meanwhile.
    const shown = ({ persisted }: PageTransitionEvent) => {
      if (persisted && written() !== atLeaving) tell();
    };
    window.addEventListener("storage", stored);
    window.addEventListener("pagehide", hidden);
    window.addEventListener("pageshow", shown);
    return () => {
      window.removeEventListener("storage", stored);
      window.removeEventListener("pagehide", hidden);
      window.removeEventListener("pageshow", shown);
    };
  }

  drop(name: string): void {
    this.onPage.delete(name);
    quietly(() => localStorage.removeItem(this.prefix + name));
  }
}

/** How many texts of this person wait in this browser. */
export function keptCount(userId: string): number {
  return keysOf(ownedBy(userId)).length;
}

/** Deletes all that this browser keeps of a person's unsaved texts. */
export function dropAllKept(userId: string): void {
  for (const key of keysOf(ownedBy(userId))) localStorage.removeItem(key);
}

function ownedBy(userId: string): string {
  return `${PREFIX}.${userId}.`;
}

function keysOf(prefix: string): string[] {
  return quietly(() => Object.keys(localStorage).filter((key) => key.startsWith(prefix))) ?? [];
}

function parsed<Draft>(written: string | null | undefined): Kept<Draft> | null {
  return written ? (JSON.parse(written) as Kept<Draft>) : null;
}
