import type { Datasheet, Question } from "./api";
import { Autosave, type Ports, type Status } from "./autosave";

/** How many texts are in which state, but for those that are stored; `loose` ones not even this browser keeps. */
export type Unsaved = Record<Exclude<Status, "stored"> | "all" | "loose", number>;

/** All texts of a datasheet that is being written. A change of one tells only those who watch it, or the whole. */
export class SheetAutosave {
  private readonly autosaves = new Map<string, Autosave>();
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

  of(question: Question): Autosave {
    const found = this.autosaves.get(question.key);
    if (found) return found;
    const autosave = new Autosave(question, this.ports, () => {
      this.recount();
      for (const watcher of this.watchers.get(question.key) ?? []) watcher();
    });
    this.autosaves.set(question.key, autosave);
    return autosave;
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
    for (const autosave of this.autosaves.values()) autosave.flush();
  };

  open(): void {
    for (const autosave of this.autosaves.values()) autosave.resume();
  }

  close(): void {
    for (const autosave of this.autosaves.values()) autosave.stop();
  }

  private recount(): void {
    const next: Unsaved = { ...NOTHING };
    for (const { state } of this.autosaves.values()) {
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
