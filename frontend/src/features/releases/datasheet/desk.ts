import type { Datasheet, Question } from "./api";
import { type Ports, type Status, Writer } from "./writer";

/** How many texts are in which state, but for those that are stored; `loose` ones not even this browser keeps. */
export type Unsaved = Record<Exclude<Status, "stored"> | "all" | "loose", number>;

/** All texts of a datasheet that is being written. A change of one tells only those who watch it, or the whole. */
export class Desk {
  private readonly writers = new Map<string, Writer>();
  private readonly watchers = new Map<string, Set<() => void>>();
  private readonly ports: Ports;
  private count: Unsaved = NOTHING;

  constructor(sheet: Datasheet, ports: Ports) {
    this.ports = ports;
    this.adopt(sheet);
  }

  /** Takes over what was loaded; a draft left from another visit is found here, whether its question is shown or not. */
  adopt(sheet: Datasheet): void {
    for (const question of sheet.sections.flatMap(({ questions }) => questions))
      this.of(question).adopt(question);
    this.recount();
  }

  of(question: Question): Writer {
    const found = this.writers.get(question.key);
    if (found) return found;
    const writer = new Writer(question, this.ports, () => {
      this.recount();
      for (const watcher of this.watchers.get(question.key) ?? []) watcher();
    });
    this.writers.set(question.key, writer);
    return writer;
  }

  /** Calls when this question's text or state changes, or, with "", the count of what is not saved. */
  readonly watch = (key: string, watcher: () => void): (() => void) => {
    const those = this.watchers.get(key) ?? new Set();
    this.watchers.set(key, those.add(watcher));
    return () => those.delete(watcher);
  };

  get unsaved(): Unsaved {
    return this.count;
  }

  readonly flush = (): void => {
    for (const writer of this.writers.values()) writer.flush();
  };

  open(): void {
    for (const writer of this.writers.values()) writer.resume();
  }

  close(): void {
    for (const writer of this.writers.values()) writer.stop();
  }

  private recount(): void {
    const next: Unsaved = { ...NOTHING };
    for (const { state } of this.writers.values()) {
      if (state.status === "stored") continue;
      next[state.status] += 1;
      next.all += 1;
      if (!state.isKept) next.loose += 1;
    }
    const isSame = (Object.keys(next) as (keyof Unsaved)[]).every((each) => next[each] === this.count[each]);
    if (isSame) return;
    this.count = next;
    for (const watcher of this.watchers.get("") ?? []) watcher();
  }
}

const NOTHING: Unsaved = { typed: 0, saving: 0, retrying: 0, refused: 0, stale: 0, all: 0, loose: 0 };
