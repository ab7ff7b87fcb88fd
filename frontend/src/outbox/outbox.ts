import { ApiError } from "../api/errors";
import type { ListStep, SentStep, StepReceipt } from "../api/factoids";
import { marksOf } from "../api/marks";
import type { AnnotationReceipt, Assignment, CurrentAnnotation, LabelWindow } from "../api/types";
import { withKnown } from "../api/windows";
import { type DraftNotes, ItemDrafts } from "./drafts";
import type { Lock } from "./lock";
import {
  CONNECTION,
  doneOf,
  isFlag,
  isSubmit,
  lastSubmit,
  nextToSend,
  ofAssignment,
  ofList,
  ofQueue,
  queueOf,
  rebased,
  submitOf,
  untilDue,
  type Wait,
  waitAfter,
} from "./order";
import { Sleeper } from "./sleeper";
import type { OutboxStore } from "./store";
import type {
  Channel,
  Committed,
  Connection,
  FlagEntry,
  Message,
  OutboxEntry,
  OutboxState,
  Refill,
  StepEntry,
  StoredStep,
  SubmitEntry,
} from "./types";
import { uuid } from "./uuid";

export interface OutboxParts {
  userId: string;
  store: OutboxStore;
  notes: DraftNotes;
  channel: Channel;
  lock: Lock;
  /** Sends a submit. `known` are assignments that this tab has, which need not come again. */
  send: (entry: SubmitEntry, known: readonly Assignment[]) => Promise<AnnotationReceipt>;
  /** What the page has loaded of a project, if it shows its items. */
  loaded: (projectId: string) => LabelWindow | undefined;
  sendStep: (entry: StepEntry) => Promise<StepReceipt>;
  sendFlag: (entry: FlagEntry) => Promise<unknown>;
  /** Notes how the person stands after a submit, for a page that is loaded without a network. */
  remember: (projectId: string, window: LabelWindow) => Promise<void>;
  /** Notes what a factoid list became, for the same page. */
  rememberStep: (stored: StoredStep) => Promise<void>;
  /** Whose session this browser has, as last seen by any tab; cheap. */
  signedIn: () => string | null;
  /** The same, asked of the server. */
  whoAmI: () => Promise<string | null>;
  now?: () => number;
  random?: () => number;
}

/** Time after which a paused outbox looks again by itself. */
const LOOK_AGAIN_MS = 15_000;

/**
 * The durable outbox of one person. It commits submits and flags of items, and steps on factoid lists, to the browser's
 * database.
 * It sends first in, first out per assignment and list, and tries again with the same client id. What the server refuses
 * is kept until the person decides.
 */
export class Outbox {
  readonly drafts: ItemDrafts;
  private readonly parts: OutboxParts;
  private readonly now: () => number;
  private readonly random: () => number;
  private readonly waits = new Map<number, Wait>();
  private readonly listeners = new Set<() => void>();
  private state: OutboxState = {
    entries: [],
    committing: 0,
    connection: "fine",
    confirmed: new Map(),
    steps: new Map(),
    refills: new Map(),
    left: new Set(),
    elsewhere: new Set(),
  };
  /** Grows with every commit of this tab. */
  private commits = 0;
  private readonly sleeper = new Sleeper();
  private readonly stopping = new AbortController();

  constructor(parts: OutboxParts) {
    this.parts = parts;
    this.now = parts.now ?? (() => performance.now());
    this.random = parts.random ?? Math.random;
    this.drafts = new ItemDrafts(parts.store, parts.notes, {
      isHere: (assignmentId) => this.isHere(assignmentId),
      changed: (assignmentId) => this.tell({ kind: "draft", assignmentId }),
    });
    parts.channel.onmessage = (event) => void this.hear(event.data as Message);
  }

  async open(): Promise<void> {
    await this.drafts.open();
    await this.reread();
    await this.drafts.takeUpNotes((assignmentId, draft) =>
      ofAssignment(this.state.entries, assignmentId).some(
        (entry) => entry.body.base_revision >= draft.baseRevision,
      ),
    );
    // A tab that paused while somebody else was signed in goes on at once.
    this.tell({ kind: "changed" });
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  snapshot = (): OutboxState => this.state;

  /** Resolves once the entry is on disk: from then on it survives a reload. */
  async commit(entry: Committed): Promise<void> {
    this.set({ committing: this.state.committing + 1 });
    const committed = await this.parts.store
      .commit({ ...entry, userId: this.parts.userId })
      .catch((error: unknown) => {
        this.set({ committing: this.state.committing - 1 });
        throw error;
      });
    this.commits += 1;
    this.drafts.forget(queueOf(entry));
    // The loop that sends may have read it already.
    const others = this.state.entries.filter(({ seq }) => seq !== committed.seq);
    this.set({
      committing: this.state.committing - 1,
      entries: [...others, committed].sort((a, b) => a.seq - b.seq),
      left: this.leftWith(committed.body.client_id),
    });
    this.tell({ kind: "changed" });
    this.sleeper.wake();
  }

  /** This tab has nothing of its own to add to the item's last submit, whichever tab made it. */
  letGo(assignmentId: string): void {
    const last = lastSubmit(this.state, assignmentId);
    if (last) this.set({ left: this.leftWith(last.clientId) });
  }

  /** Sends the person's answer again: over the one the server holds now, under a new client id. */
  async keepMine(assignmentId: string): Promise<void> {
    const entries = ofAssignment(this.state.entries, assignmentId);
    const refusal = entries.find((entry) => entry.refusal)?.refusal;
    const last = entries.at(-1);
    if (!last || !refusal) return;
    const base = refusal.current?.revision ?? entries[0]?.body.base_revision ?? 0;
    const again = rebased({ ...last, refusal: null, body: { ...last.body, client_id: uuid() } }, base);
    this.set({ left: this.leftWith(again.body.client_id) });
    const before = entries.slice(0, -1).map((entry) => entry.seq);
    await this.change([again], before);
    this.sleeper.wake();
  }

  /** Sends the steps on a factoid list again, over this revision and under new client ids: `again` says what they are now. */
  async sendStepsAgain(
    listId: string,
    revision: number,
    again: (steps: SentStep[]) => ListStep[],
  ): Promise<void> {
    const entries = ofList(this.state.entries, listId);
    const steps = again(entries.map(({ body }) => body));
    const renewed = entries.map((entry, place) => ({
      ...entry,
      body: { ...(steps[place] ?? entry.body), client_id: uuid(), base_revision: revision + place },
      refusal: null,
    }));
    await this.change(renewed, []);
    this.sleeper.wake();
  }

  /** Sends a refused flag again, as it is. */
  async sendFlagAgain(queue: string): Promise<void> {
    const entries = ofQueue(this.state.entries, queue);
    await this.change(
      entries.map((entry) => ({ ...entry, refusal: null })),
      [],
    );
    this.sleeper.wake();
  }

  /** Gives up what was not sent of this assignment or list; what the server holds stays as it is. */
  async discard(queue: string): Promise<void> {
    const entries = ofQueue(this.state.entries, queue);
    await this.change(
      [],
      entries.map((entry) => entry.seq),
    );
  }

  /** Puts a refused answer back into the person's hands, to be corrected and submitted anew. */
  async backToDraft(assignmentId: string): Promise<void> {
    const last = ofAssignment(this.state.entries, assignmentId).at(-1);
    if (!last) return;
    const { body } = last;
    await this.drafts.save(
      assignmentId,
      {
        baseRevision: last.assignment.current?.revision ?? 0,
        given: body.answers,
        spans: marksOf(body.spans),
        comment: body.comment,
        contextOpen: body.context_opened,
        contextOpened: body.context_opened,
        activeMs: body.active_ms,
        wallMs: body.wall_ms,
      },
      true,
    );
    await this.discard(assignmentId);
  }

  /** Tries everything now that was waiting for a later try. */
  retryNow = (): void => {
    this.waits.clear();
    this.sleeper.wake();
  };

  /** Sends until stopped, when this tab's turn has come. */
  async run(): Promise<void> {
    const { signal } = this.stopping;
    await this.parts.lock(`quorum-outbox-${this.parts.userId}`, signal, async () => {
      while (!signal.aborted) await this.step();
    });
  }

  stop(): void {
    this.stopping.abort();
    this.parts.channel.close();
    this.sleeper.wake();
  }

  private async step(): Promise<void> {
    await this.reread();
    if (this.state.entries.length > 0 && this.parts.signedIn() !== this.parts.userId) {
      this.report("signed-out");
      return this.sleeper.sleep(LOOK_AGAIN_MS);
    }
    // The page may have been left while the database was read.
    if (this.stopping.signal.aborted) return;
    const entry = nextToSend(this.state.entries, this.waits, this.now());
    if (entry) return this.sendOne(entry);
    return this.sleeper.sleep(untilDue(this.state.entries, this.waits, this.now()));
  }

  private async sendOne(entry: OutboxEntry): Promise<void> {
    try {
      if (isSubmit(entry))
        await this.accepted(entry, await this.parts.send(entry, this.knownOf(entry.projectId)));
      else if (isFlag(entry)) await this.sendFlag(entry);
      else await this.stepAccepted(entry, await this.parts.sendStep(entry));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await this.failed(entry, error);
    }
  }

  private async accepted(entry: SubmitEntry, receipt: AnnotationReceipt): Promise<void> {
    const { projectId } = entry;
    await this.parts.remember(projectId, receipt.refill);
    await this.settle(entry, receipt.annotation.revision);
    const refill: Refill = {
      projectId,
      done: doneOf(entry),
      submit: submitOf(entry, receipt.annotation.revision),
      window: receipt.refill,
      at: Date.now(),
    };
    await this.takeIn(refill, this.connectionNow());
    this.tell({ kind: "refill", refill });
  }

  /** What the page and the answers to its submits have brought of a project. */
  private knownOf(projectId: string): Assignment[] {
    const brought = this.state.refills.get(projectId)?.window.assignments ?? [];
    return [...(this.parts.loaded(projectId)?.assignments ?? []), ...brought];
  }

  private async stepAccepted(entry: StepEntry, { revision }: StepReceipt): Promise<void> {
    const { client_id: clientId, base_revision: _, ...step } = entry.body;
    const stored: StoredStep = { listId: entry.list.id, clientId, revision, step };
    await this.parts.rememberStep(stored);
    await this.settle(entry, revision);
    await this.takeInStep(stored, this.connectionNow());
    this.tell({ kind: "step", stored });
  }

  private async sendFlag(entry: FlagEntry): Promise<void> {
    await this.parts.sendFlag(entry);
    this.waits.delete(entry.seq);
    this.waits.delete(CONNECTION);
    await this.change([], [entry.seq]);
    this.report(this.connectionNow());
  }

  /** Takes an accepted entry out of the database; what waits behind it builds on the revision that it became. */
  private async settle(entry: SubmitEntry | StepEntry, revision: number): Promise<void> {
    this.waits.delete(entry.seq);
    this.waits.delete(CONNECTION);
    const later = ofQueue(this.state.entries, queueOf(entry)).find((other) => other.seq > entry.seq);
    const renewed = later && !isFlag(later) ? [rebased(later, revision)] : [];
    await this.parts.store.apply(renewed, [entry.seq]);
  }

  private connectionNow(): Connection {
    return this.waits.size > 0 ? "retrying" : "fine";
  }

  private async failed(entry: OutboxEntry, error: ApiError): Promise<void> {
    if (error.isSignedOut || (error.status === 404 && (await this.sessionIsAnothers()))) {
      this.postpone(CONNECTION);
      this.report("signed-out");
    } else if (error.isTemporary) {
      this.postpone(error.isUnreachable ? CONNECTION : entry.seq);
      this.report("retrying");
    } else {
      await this.change([{ ...entry, refusal: refusalOf(error) }], []);
    }
  }

  private async sessionIsAnothers(): Promise<boolean> {
    try {
      return (await this.parts.whoAmI()) !== this.parts.userId;
    } catch (error) {
      if (error instanceof ApiError) return true;
      throw error;
    }
  }

  private postpone(key: number): void {
    const tries = (this.waits.get(key)?.tries ?? 0) + 1;
    this.waits.set(key, { tries, dueAt: this.now() + waitAfter(tries, this.random()) });
  }

  private async change(changed: OutboxEntry[], removed: number[]): Promise<void> {
    for (const seq of removed) this.waits.delete(seq);
    await this.parts.store.apply(changed, removed);
    await this.reread();
    this.tell({ kind: "changed" });
  }

  /** What the database holds; read again where something was committed meanwhile, which would be missing. */
  private async entriesNow(): Promise<OutboxEntry[]> {
    const commits = this.commits;
    const entries = await this.parts.store.entries();
    return commits === this.commits ? entries : this.entriesNow();
  }

  private async reread(): Promise<void> {
    const entries = await this.entriesNow();
    this.set({ entries, connection: entries.length === 0 ? "fine" : this.state.connection });
  }

  /** Entry gone, item confirmed and window refilled in one step, so that no count on the page dips in between. */
  private async takeIn(received: Refill, connection: Connection): Promise<void> {
    const entries = await this.entriesNow();
    const before = this.state.refills.get(received.projectId)?.window.assignments ?? [];
    const refill = { ...received, window: withKnown(received.window, before) };
    const confirmed = new Map([...this.state.confirmed, [refill.done.id, refill]]);
    const refills = new Map([...this.state.refills, [refill.projectId, refill]]);
    const elsewhere = this.elsewhereBut(refill.done.id);
    this.set({
      entries,
      confirmed,
      refills,
      elsewhere,
      connection: entries.length === 0 ? "fine" : connection,
    });
  }

  /** Entry gone and step known as stored in one step, so that no list on the page falls back in between. */
  private async takeInStep(stored: StoredStep, connection: Connection): Promise<void> {
    const entries = await this.entriesNow();
    const before = this.state.steps.get(stored.listId) ?? [];
    const steps = new Map([...this.state.steps, [stored.listId, [...before, stored]]]);
    this.set({ entries, steps, connection: entries.length === 0 ? "fine" : connection });
  }

  /** The tab that sends knows how it goes; the others show the same. */
  private report(connection: Connection): void {
    this.set({ connection });
    this.tell({ kind: "connection", connection });
  }

  private async hear(message: Message): Promise<void> {
    if (message.kind === "connection") return this.set({ connection: message.connection });
    if (message.kind === "draft")
      return this.set({ elsewhere: new Set([...this.state.elsewhere, message.assignmentId]) });
    if (message.kind === "refill") await this.takeIn(message.refill, this.state.connection);
    else if (message.kind === "step") await this.takeInStep(message.stored, this.state.connection);
    else await this.reread();
    this.sleeper.wake();
  }

  private leftWith(clientId: string): ReadonlySet<string> {
    return new Set([...this.state.left, clientId]);
  }

  /** The page is drawn anew only where that is news: drafts are written often. */
  private isHere(assignmentId: string): void {
    if (this.state.elsewhere.has(assignmentId)) this.set({ elsewhere: this.elsewhereBut(assignmentId) });
  }

  private elsewhereBut(assignmentId: string): ReadonlySet<string> {
    return new Set([...this.state.elsewhere].filter((id) => id !== assignmentId));
  }

  private tell(message: Message): void {
    // The answer to a send may come after the page is left, when the channel is closed.
    if (!this.stopping.signal.aborted) this.parts.channel.postMessage(message);
  }

  private set(part: Partial<OutboxState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}

function refusalOf(error: ApiError): NonNullable<OutboxEntry["refusal"]> {
  const current = (error.body as { current?: CurrentAnnotation } | null)?.current ?? null;
  return { status: error.status, code: error.code, words: error.message, fields: error.fields, current };
}
