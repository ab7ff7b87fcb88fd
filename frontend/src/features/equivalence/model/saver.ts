import { errorWords, isApiError } from "../../../api/errors";
import type { KeptDrafts } from "../../../kept/drafts";
import type { Evaluation } from "../types";
import { changeWords } from "./changes";
import { applied, type Content, editWords, settingsOf } from "./edits";
import { type Again, contentOf, type Seen, type Standing, type Step, standingOf, withSteps } from "./steps";

/** How a step reaches the server. Each answers the evaluation as it is then. */
export interface Server {
  save: (at: Evaluation, clientId: string, action: string, content: Content) => Promise<Evaluation>;
  undo: (at: Evaluation, clientId: string) => Promise<Evaluation>;
  restore: (at: Evaluation, clientId: string, revision: number) => Promise<Evaluation>;
  review: (at: Evaluation, step: Extract<Step, { kind: "review" }>) => Promise<Evaluation>;
}

/** What somebody else did, and what became of the steps that waited here. */
export interface Elsewhere {
  by: string;
  changes: readonly string[];
  again: readonly string[];
  dropped: readonly string[];
}

export type State = "saved" | "saving" | "retrying" | "failed";

export interface Snapshot extends Standing {
  evaluation: Evaluation;
  state: State;
  /** Why nothing is stored at the moment. */
  problem: string;
  n_waiting: number;
  /** What waits would outlive a reload of the page. */
  isKept: boolean;
  elsewhere: Elsewhere | null;
  mayUndo: boolean;
  mayRedo: boolean;
}

const RETRY_AFTER = 3_000;

/**
 * Sends the steps of one evaluation, one after another. They show at once, and are kept in this browser until the server
 * has them. Where somebody else saved first, theirs counts, and what still fits is made on top.
 */
export class Saver {
  private readonly seen = new Map<number, Seen>();
  private readonly listeners = new Set<() => void>();
  private readonly server: Server;
  private readonly kept: KeptDrafts<readonly Step[]>;
  private readonly onStored: (evaluation: Evaluation) => void;
  private evaluation: Evaluation;
  private queue: readonly Step[];
  private future: readonly Again[] = [];
  private state: State = "saved";
  private problem = "";
  private elsewhere: Elsewhere | null = null;
  private isSending = false;
  private isKept = true;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private snapshot: Snapshot;

  constructor(
    evaluation: Evaluation,
    server: Server,
    kept: KeptDrafts<readonly Step[]>,
    onStored: (evaluation: Evaluation) => void,
  ) {
    this.evaluation = evaluation;
    this.server = server;
    this.kept = kept;
    this.onStored = onStored;
    this.queue = kept.get(evaluation.id) ?? [];
    this.see(evaluation, null);
    this.snapshot = this.drawn();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  get = (): Snapshot => this.snapshot;

  /** Sends what waits, now and whenever the network is back. */
  start(): () => void {
    const again = () => void this.send();
    window.addEventListener("online", again);
    again();
    return () => {
      window.removeEventListener("online", again);
      clearTimeout(this.timer);
    };
  }

  perform(step: Step): void {
    if (step.kind !== "review") this.future = [];
    this.push(step);
  }

  undo(clientId: string): void {
    const { made, mayUndo } = this.snapshot;
    if (!mayUndo) return;
    if (made) this.future = [...this.future, made];
    this.push({ kind: "undo", clientId, action: "Undo" });
  }

  redo(clientId: string): void {
    const again = this.future.at(-1);
    if (!again || !this.snapshot.mayRedo) return;
    this.future = this.future.slice(0, -1);
    if ("edit" in again) {
      const action = editWords(this.snapshot.content, again.edit, "Redid: ");
      this.push({ kind: "edit", clientId, action, edit: again.edit });
    } else {
      const action = `Redid what stood in revision ${again.restore}`;
      this.push({ kind: "restore", clientId, action, revision: again.restore });
    }
  }

  /** What the server has by now, as a query found it. */
  hear(found: Evaluation): void {
    if (this.queue.length > 0 || found === this.evaluation || found.revision < this.evaluation.revision)
      return;
    if (found.revision > this.evaluation.revision) {
      this.elsewhere = this.told(found, [], []);
      this.forget(found);
    }
    this.evaluation = found;
    this.show();
  }

  /** Tries at once what waits or was refused. */
  retry = (): void => {
    this.state = "saving";
    void this.send();
  };

  /** Gives up what waits. */
  discard = (): void => {
    this.keep([]);
    this.future = [];
    this.state = "saved";
    this.show();
  };

  dismiss = (): void => {
    this.elsewhere = null;
    this.show();
  };

  private push(step: Step): void {
    this.keep([...this.queue, step]);
    this.show();
    if (this.state !== "failed") void this.send();
  }

  private async send(): Promise<void> {
    clearTimeout(this.timer);
    if (this.isSending) return;
    this.isSending = true;
    try {
      for (let step = this.queue[0]; step; step = this.queue[0]) {
        if (this.state !== "retrying") this.state = "saving";
        this.show();
        await this.deliver(step);
      }
      this.state = "saved";
      this.problem = "";
    } catch (error) {
      this.fail(error);
    } finally {
      this.isSending = false;
      this.show();
    }
  }

  private fail(error: unknown): void {
    const isTemporary = isApiError(error) && error.isTemporary;
    this.state = isTemporary ? "retrying" : "failed";
    this.problem = errorWords(error);
    if (isTemporary) this.timer = setTimeout(() => void this.send(), RETRY_AFTER);
  }

  private async deliver(step: Step): Promise<void> {
    try {
      const found = await this.sent(step);
      this.keep(this.queue.filter((each) => each !== step));
      if (found) this.store(step, found);
    } catch (error) {
      const current = staleOf(error);
      if (!current) throw error;
      this.onTopOf(current);
    }
    this.state = "saving";
    this.show();
  }

  private async sent(step: Step): Promise<Evaluation | null> {
    const at = this.evaluation;
    switch (step.kind) {
      case "edit": {
        const { content, isMade } = applied(contentOf(at), step.edit);
        return isMade ? this.server.save(at, step.clientId, step.action, content) : null;
      }
      case "undo":
        return this.server.undo(at, step.clientId);
      case "restore":
        return this.server.restore(at, step.clientId, step.revision);
      case "review":
        return this.server.review(at, step);
    }
  }

  private store(step: Step, found: Evaluation): void {
    const undone = this.seen.get(this.evaluation.undo_to ?? 0)?.made ?? null;
    this.evaluation = found;
    if (step.kind === "edit") this.see(found, { edit: step.edit });
    else if (step.kind === "restore") this.see(found, { restore: step.revision });
    else if (step.kind === "undo") this.see(found, undone);
    this.onStored(found);
  }

  /** Takes what somebody else saved, and leaves of the own steps those that still fit. */
  private onTopOf(current: Evaluation): void {
    const kept: Step[] = [];
    const [again, dropped]: [string[], string[]] = [[], []];
    let content = contentOf(current);
    for (const step of this.queue) {
      const made = step.kind === "edit" ? applied(content, step.edit) : null;
      if (made?.isMade) {
        content = made.content;
        kept.push(step);
        const missed = made.missed.map((text) => `“${text}”`).join(", ");
        again.push(missed ? `${step.action}; but not ${missed}, which somebody else moved` : step.action);
      } else dropped.push(step.action);
    }
    this.elsewhere = this.told(current, again, dropped);
    this.forget(current);
    this.evaluation = current;
    this.keep(kept);
  }

  private told(found: Evaluation, again: readonly string[], dropped: readonly string[]): Elsewhere {
    const changes = changeWords(contentOf(this.evaluation), contentOf(found));
    return { by: found.updated_by, changes, again, dropped };
  }

  private forget(found: Evaluation): void {
    this.seen.clear();
    this.future = [];
    this.see(found, null);
  }

  private see(evaluation: Evaluation, made: Again | null): void {
    this.seen.set(evaluation.revision, { content: contentOf(evaluation), undoTo: evaluation.undo_to, made });
  }

  private keep(queue: readonly Step[]): void {
    this.queue = queue;
    if (queue.length === 0) this.kept.drop(this.evaluation.id);
    else this.isKept = this.kept.keep(this.evaluation.id, queue, String(this.evaluation.revision));
  }

  private show(): void {
    this.snapshot = this.drawn();
    for (const listener of this.listeners) listener();
  }

  private drawn(): Snapshot {
    const standing = withSteps(standingOf(this.evaluation, this.seen), this.queue, this.seen);
    return {
      ...standing,
      evaluation: { ...this.evaluation, ...settingsOf(standing.content) },
      state: this.state,
      problem: this.problem,
      n_waiting: this.queue.length,
      isKept: this.isKept,
      elsewhere: this.elsewhere,
      mayUndo: standing.before !== null && standing.isKnown,
      mayRedo: this.future.length > 0 && standing.isKnown,
    };
  }
}

/** The evaluation that a refusal carries because somebody else saved first. */
function staleOf(error: unknown): Evaluation | null {
  if (!isApiError(error, 409) || error.code !== "stale") return null;
  return (error.body as { current?: Evaluation }).current ?? null;
}
