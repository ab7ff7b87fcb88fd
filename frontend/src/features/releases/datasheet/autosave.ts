import { errorWords, isApiError } from "../../../api/errors";
import { waitAfter } from "../../../outbox/order";
import { currentOf, type Question } from "./api";
import type { Draft } from "./drafts";

/** How long the hands must rest before a text is sent. */
export const REST_MS = 800;

export type Status =
  /** As the server has it. */
  | "stored"
  | "typed"
  | "saving"
  /** The server is away: tried again by itself. */
  | "retrying"
  /** The server does not take this text. */
  | "refused"
  /** Somebody else saved another text meanwhile: the person decides. */
  | "stale";

export interface AutosaveState {
  text: string;
  status: Status;
  /** Why it is not saved, in words. */
  reason: string;
  /** The text is safe in this browser as well. */
  isKept: boolean;
  /** What the server has as of now; while stale, the other's. */
  stored: Question;
  /** This text was saved from here, so that "Saved" is worth saying. */
  wasSaved: boolean;
}

export interface Ports {
  save: (question: string, text: string, baseRevision: number) => Promise<Question>;
  drafts: {
    get: (question: string) => Draft | null;
    keep: (question: string, draft: Draft) => boolean;
    drop: (question: string) => void;
  };
  /** The server has this now. */
  onStored: (question: Question) => void;
  onError: (error: unknown) => void;
}

/** One question's text on its way to the server: one request at a time, each made from the revision that the last gave. */
export class Autosave {
  private now: AutosaveState;
  /** Revision that the text was written from. */
  private base: number;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private tries = 0;
  private isStopped = false;
  private readonly ports: Ports;
  private readonly changed: () => void;

  constructor(question: Question, ports: Ports, changed: () => void) {
    this.ports = ports;
    this.changed = changed;
    this.base = question.revision;
    this.now = {
      ...{ text: question.answer, status: "stored", reason: "", isKept: true },
      ...{ stored: question, wasSaved: false },
    };
    this.takeUpDraft(question);
  }

  /** What a page that was closed too early left behind. */
  private takeUpDraft(question: Question): void {
    const draft = this.ports.drafts.get(question.key);
    if (!draft) return;
    if (draft.text === question.answer) {
      this.ports.drafts.drop(question.key);
    } else {
      this.base = draft.revision;
      this.now = { ...this.now, text: draft.text, status: "typed" };
    }
  }

  get state(): AutosaveState {
    return this.now;
  }

  get isUnsaved(): boolean {
    return this.now.status !== "stored";
  }

  /** Takes over what the server has, where nothing of one's own stands against it. An older answer changes nothing. */
  adopt(question: Question): void {
    if (this.isUnsaved || question.revision < this.now.stored.revision) return;
    if (question.revision > this.base) this.set({ text: question.answer, wasSaved: false });
    this.base = question.revision;
    this.now = { ...this.now, stored: question };
  }

  type(text: string): void {
    const { status, stored } = this.now;
    if (text === stored.answer && this.base === stored.revision && status !== "saving") {
      this.rest(stored, this.now.wasSaved);
      return;
    }
    const isKept = this.ports.drafts.keep(stored.key, { text, revision: this.base });
    const goesOn = status === "saving" || status === "stale";
    this.set({ text, isKept, status: goesOn ? status : "typed" });
    if (!goesOn) this.wait(REST_MS);
  }

  /** Sends at once what waits for a rest or for the server. */
  flush(): void {
    if (this.now.status === "typed" || this.now.status === "retrying") this.send();
  }

  resume(): void {
    this.isStopped = false;
    this.flush();
  }

  /** Sends what it can and waits for nothing more; what is on its way arrives all the same. */
  stop(): void {
    this.flush();
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  /** Of two texts, one's own, or one made of both, is to stand. */
  keep(text: string): void {
    this.base = this.now.stored.revision;
    const isKept = this.ports.drafts.keep(this.now.stored.key, { text, revision: this.base });
    this.set({ text, isKept, status: "typed" });
    this.send();
  }

  takeOther(): void {
    this.base = this.now.stored.revision;
    this.rest(this.now.stored, false);
  }

  private rest(stored: Question, wasSaved: boolean): void {
    clearTimeout(this.timer);
    // The page may have been opened anew while this was on its way: what was typed there is not ours to drop.
    if (!this.isStopped || this.ports.drafts.get(stored.key)?.text === stored.answer)
      this.ports.drafts.drop(stored.key);
    this.set({ text: stored.answer, status: "stored", reason: "", isKept: true, stored, wasSaved });
  }

  private wait(ms: number): void {
    clearTimeout(this.timer);
    if (!this.isStopped) this.timer = setTimeout(() => this.send(), ms);
  }

  private async send(): Promise<void> {
    clearTimeout(this.timer);
    const { text, stored } = this.now;
    this.set({ status: "saving" });
    try {
      this.arrived(text, await this.ports.save(stored.key, text, this.base));
    } catch (error) {
      this.failed(text, error);
    }
  }

  private arrived(sent: string, stored: Question): void {
    this.tries = 0;
    this.base = stored.revision;
    this.ports.onStored(stored);
    const { text } = this.now;
    if (text === sent) {
      this.rest(stored, true);
    } else {
      const isKept = this.ports.drafts.keep(stored.key, { text, revision: this.base });
      this.set({ stored, isKept });
      this.retype();
    }
  }

  private failed(sent: string, error: unknown): void {
    const current = currentOf(error);
    const reason = errorWords(error);
    if (current) {
      this.overtaken(sent, current);
    } else if (isApiError(error) && error.isTemporary) {
      this.tries += 1;
      this.set({ status: "retrying", reason });
      this.wait(waitAfter(this.tries, Math.random()));
    } else if (isApiError(error, 400) && this.now.text !== sent) {
      // What was typed since is another text: it may be taken.
      this.retype();
    } else {
      this.set({ status: "refused", reason: fieldWords(error) ?? reason });
      this.ports.onError(error);
    }
  }

  /** Somebody else was faster; where both wrote the same, there is nothing to decide. */
  private overtaken(sent: string, current: Question): void {
    if (current.answer === sent) {
      this.arrived(sent, current);
    } else {
      this.ports.onStored(current);
      this.set({ status: "stale", stored: current, reason: "" });
    }
  }

  private retype(): void {
    this.set({ status: "typed", reason: "" });
    this.wait(REST_MS);
  }

  private set(part: Partial<AutosaveState>): void {
    this.now = { ...this.now, ...part };
    this.changed();
  }
}

function fieldWords(error: unknown): string | null {
  if (!isApiError(error)) return null;
  return Object.values(error.fields).flat().join(" ") || null;
}
