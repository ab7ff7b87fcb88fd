/** Where the person is, and what they did since the page was loaded. A pure reducer; the list itself comes from its steps. */
import { type FactoidList, type ListStep, withSteps } from "../../../../api/factoids";
import type { StepEntry, StoredStep } from "../../../../outbox/types";
import { inverse } from "./steps";

/** A step that is not in the browser's database yet. */
export interface Fresh {
  clientId: string;
  step: ListStep;
}

export interface WorkState {
  /** The sentence at hand. */
  sentence: string | null;
  /** Key of the factoid at hand. */
  active: string | null;
  /** In the order in which they were made. */
  fresh: readonly Fresh[];
  /** Steps that may be undone, and those that were: they may be redone. */
  past: readonly ListStep[];
  future: readonly ListStep[];
}

export type WorkAction =
  | { kind: "at"; sentence: string }
  | { kind: "active"; key: string | null }
  /** A step was made; a new one ends what could be redone. */
  | { kind: "did"; clientId: string; step: ListStep; active?: string | null }
  /** The database has it: from now on the outbox says what became of it. */
  | { kind: "committed"; clientId: string }
  /** The steps that waited were given up, or put on top of another list: what came before them cannot be undone. */
  | { kind: "rebased" };

export function begun(list: FactoidList): WorkState {
  return {
    sentence: list.texts[0]?.sentences[0]?.id ?? null,
    active: null,
    fresh: [],
    past: [],
    future: [],
  };
}

export function work(state: WorkState, action: WorkAction): WorkState {
  switch (action.kind) {
    case "at":
      return state.sentence === action.sentence ? state : { ...state, sentence: action.sentence };
    case "active":
      return state.active === action.key ? state : { ...state, active: action.key };
    case "committed":
      return { ...state, fresh: state.fresh.filter(({ clientId }) => clientId !== action.clientId) };
    case "rebased":
      return { ...state, past: [], future: [] };
    case "did": {
      const { clientId, step, active = activeAfter(state.active, step) } = action;
      return { ...state, active, fresh: [...state.fresh, { clientId, step }], ...history(state, step) };
    }
  }
}

/** What was undone or redone is at hand; what is gone is not. */
function activeAfter(active: string | null, { kind, changes }: ListStep): string | null {
  const shown = kind === "undo" || kind === "redo" ? changes.find(({ after }) => after)?.key : undefined;
  return shown ?? (changes.some(({ key, after }) => key === active && !after) ? null : active);
}

function history({ past, future }: WorkState, step: ListStep): Pick<WorkState, "past" | "future"> {
  if (step.kind === "undo") return { past: past.slice(0, -1), future: [...future, ...past.slice(-1)] };
  if (step.kind === "redo") return { past: [...past, ...future.slice(-1)], future: future.slice(0, -1) };
  return { past: [...past, step], future: [] };
}

/** What takes the last step back, or makes it again; null where there is none. */
export function undoOf({ past }: WorkState): ListStep | null {
  const last = past.at(-1);
  return last ? inverse(last, "undo") : null;
}

export function redoOf({ future }: WorkState): ListStep | null {
  const last = future.at(-1);
  return last ? { ...last, kind: "redo" } : null;
}

/** What is known of a list's steps beside the list itself. */
export interface Known {
  stored: readonly StoredStep[];
  waiting: readonly StepEntry[];
  fresh: readonly Fresh[];
}

/**
 * The list as it is with everything that is known here: what the server had, the steps that it took since, those that
 * wait in the outbox, and those that are not there yet. Its revision is the server's.
 */
export function listNow(list: FactoidList, known: Known): FactoidList {
  const newer = known.stored.filter(({ revision }) => revision > list.revision);
  const steps = [
    ...newer.map(({ step }) => step),
    ...known.waiting.map(({ body }) => body),
    ...onlyFresh(known).map(({ step }) => step),
  ];
  return { ...withSteps(list, steps), revision: newer.at(-1)?.revision ?? list.revision };
}

/** The revision from which the next step is made: the server will have taken all that waits by then. */
export function nextBase(revision: number, known: Known): number {
  return revision + known.waiting.length + onlyFresh(known).length;
}

/** The outbox may know a step a moment before the page has heard that it was committed. */
function onlyFresh({ stored, waiting, fresh }: Known): readonly Fresh[] {
  const known = new Set([
    ...stored.map(({ clientId }) => clientId),
    ...waiting.map(({ body }) => body.client_id),
  ]);
  return fresh.filter(({ clientId }) => !known.has(clientId));
}
