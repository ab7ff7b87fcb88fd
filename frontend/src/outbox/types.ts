import type { ListStep, SentStep } from "../api/factoids";
import type { SentFlag } from "../api/flags";
import type { Mark } from "../api/marks";
import type {
  AnnotationBody,
  Answers,
  Assignment,
  ContextLevel,
  CurrentAnnotation,
  DoneAssignment,
  LabelWindow,
} from "../api/types";

/** Why the server did not take an entry, and what it holds instead where it said so. */
export interface Refusal {
  status: number;
  code: string | null;
  words: string;
  fields: Record<string, string[]>;
  current: CurrentAnnotation | null;
}

/** Something on its way: kept until the server has it or the person decides otherwise. */
interface Sending<Body> {
  /** Order of committing in this browser; given by the database. */
  seq: number;
  userId: string;
  projectId: string;
  body: Body;
  /** null: to be sent. */
  refusal: Refusal | null;
}

/** One submit of an item. */
export interface SubmitEntry extends Sending<AnnotationBody> {
  assignment: Assignment;
}

/** One step of work on a factoid list. */
export interface StepEntry extends Sending<SentStep> {
  list: { id: string; set: string };
}

/** One flag of an item. It waits for no other entry, and none waits for it. */
export interface FlagEntry extends Sending<SentFlag> {
  flagged: { id: string; text: string };
}

export type OutboxEntry = SubmitEntry | StepEntry | FlagEntry;

type New<Entry> = Omit<Entry, "seq" | "refusal">;
export type NewEntry = New<SubmitEntry> | New<StepEntry> | New<FlagEntry>;
/** As a screen gives it: whose it is, the outbox knows. */
export type Committed =
  | Omit<New<SubmitEntry>, "userId">
  | Omit<New<StepEntry>, "userId">
  | Omit<New<FlagEntry>, "userId">;

/** What a person has begun on an item and not submitted. */
export interface Draft {
  /** Revision that the draft was begun from; with a newer one on the server it no longer holds. */
  baseRevision: number;
  given: Answers;
  spans: readonly Mark[];
  comment: string;
  contextOpen: ContextLevel;
  contextOpened: ContextLevel;
  activeMs: number;
  wallMs: number;
}

/** The last submit of an item that this browser knows, from whichever tab, sent or not. */
export interface Submit {
  clientId: string;
  /** What the server holds of it, or will once it has it. */
  now: CurrentAnnotation;
}

/** What the answer to a submit brought: the project's window as of then. */
export interface Refill {
  projectId: string;
  done: DoneAssignment;
  submit: Submit;
  window: LabelWindow;
  /** Date.now() of this browser: tells which of two windows is the newer one. */
  at: number;
}

/** A step that the server took. */
export interface StoredStep {
  listId: string;
  clientId: string;
  revision: number;
  step: ListStep;
}

/** `retrying`: the last try did not get through. `signed-out`: nobody, or somebody else, is signed in. */
export type Connection = "fine" | "retrying" | "signed-out";

export interface OutboxState {
  entries: readonly OutboxEntry[];
  /** How many are on their way into the browser's database. */
  committing: number;
  connection: Connection;
  /** Assignments that the server has accepted since the page was loaded, by id, in the order of their first acceptance. */
  confirmed: ReadonlyMap<string, Refill>;
  /** Steps that the server has taken since the page was loaded, by list, in their order. */
  steps: ReadonlyMap<string, readonly StoredStep[]>;
  /** Newest refill by project. */
  refills: ReadonlyMap<string, Refill>;
  /** Client ids of the submits that this tab has made or moved on from: others' work may still be in its hands. */
  left: ReadonlySet<string>;
  /** Ids of assignments whose draft another tab changed after this one last read or changed it. */
  elsewhere: ReadonlySet<string>;
}

/** What another tab is told; BroadcastChannel in the browser. */
export interface Channel {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
  close(): void;
}

/** What tabs tell each other. */
export type Message =
  | { kind: "changed" }
  | { kind: "draft"; assignmentId: string }
  | { kind: "connection"; connection: Connection }
  | { kind: "refill"; refill: Refill }
  | { kind: "step"; stored: StoredStep };
