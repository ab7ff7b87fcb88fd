import { useSyncExternalStore } from "react";
import { ownName } from "../browser/base";
import { quietly } from "../browser/quietly";
import { signedInHere } from "../browser/signedIn";

/** A choice about the keyboard that one person made in this browser; a change shows at once. */
export class Personal<T> {
  private readonly name: string;
  private readonly read: (written: string | null) => T;
  private readonly listeners = new Set<() => void>();
  /** Where the browser keeps nothing: what was chosen on this page. */
  private readonly unkept = new Map<string, string>();
  /** What is written stays one object until it is written anew. */
  private last: { written: string | null; value: T } | null = null;

  /** `read` gets null where nothing was chosen, and whatever else may stand in the browser. */
  constructor(name: string, read: (written: string | null) => T) {
    this.name = name;
    this.read = read;
  }

  get = (): T => {
    const place = this.place();
    const written = this.unkept.get(place) ?? quietly(() => localStorage.getItem(place));
    if (this.last?.written !== written || this.last === null)
      this.last = { written, value: this.read(written) };
    return this.last.value;
  };

  set(written: string): void {
    const place = this.place();
    const isKept = quietly(() => {
      localStorage.setItem(place, written);
      return true;
    });
    if (isKept) this.unkept.delete(place);
    else this.unkept.set(place, written);
    for (const listener of this.listeners) listener();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private place(): string {
    return ownName(`quorum.${this.name}.${signedInHere() ?? ""}`);
  }
}

export function usePersonal<T>(choice: Personal<T>): T {
  return useSyncExternalStore(choice.subscribe, choice.get);
}
