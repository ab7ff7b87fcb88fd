/** Steps that are not stored yet, on top of what the server has. */
import type { ClassReview, Decision, Evaluation } from "../types";
import { applied, type ClassContent, type Content, type Edit, settingsOf } from "./edits";

/** What makes a step again after it was undone. */
export type Again = { edit: Edit } | { restore: number };

export type Step = { clientId: string; action: string } & (
  | { kind: "edit"; edit: Edit }
  | { kind: "undo" }
  | { kind: "restore"; revision: number }
  | { kind: "review"; key: string; decision: Decision; note: string }
);

/** A revision that this page has seen. */
export interface Seen {
  content: Content;
  undoTo: number | null;
  /** null: it was not made on this page. */
  made: Again | null;
}

/** What is shown, and what an undo leads back to. */
export interface Standing {
  content: Content;
  reviews: ReadonlyMap<string, ClassReview>;
  /** How to make the last step again; null where it cannot be told yet. */
  made: Again | null;
  /** What an undo leads to: the state before, a revision that the server knows, or nothing. */
  before: Standing | number | null;
  /** False: only the server knows what comes out of the steps. */
  isKnown: boolean;
}

export function standingOf(evaluation: Evaluation, seen: ReadonlyMap<number, Seen>): Standing {
  const { revision, undo_to } = evaluation;
  return {
    content: contentOf(evaluation),
    reviews: new Map(evaluation.classes.map(({ key, review }) => [key, review])),
    made: seen.get(revision)?.made ?? { restore: revision },
    before: undo_to,
    isKnown: true,
  };
}

export function contentOf({ classes, ...evaluation }: Evaluation): Content {
  return {
    ...settingsOf(evaluation),
    classes: classes.map(({ key, name, members }): ClassContent => ({ key, name, members })),
  };
}

/** The state after these steps. */
export function withSteps(from: Standing, steps: readonly Step[], seen: ReadonlyMap<number, Seen>): Standing {
  return steps.reduce((standing, step) => withStep(standing, step, seen), from);
}

function withStep(standing: Standing, step: Step, seen: ReadonlyMap<number, Seen>): Standing {
  switch (step.kind) {
    case "edit": {
      const { content, isMade } = applied(standing.content, step.edit);
      if (!isMade) return standing;
      return {
        ...standing,
        content,
        reviews: outdated(standing, content),
        made: { edit: step.edit },
        before: standing,
      };
    }
    case "undo": {
      const { before } = standing;
      if (typeof before === "number") {
        const known = seen.get(before);
        if (!known) return { ...standing, before: null, isKnown: false };
        return {
          ...standing,
          content: known.content,
          reviews: outdated(standing, known.content),
          made: known.made ?? { restore: before },
          before: known.undoTo,
        };
      }
      return before ?? standing;
    }
    case "restore": {
      const content = seen.get(step.revision)?.content;
      const made = { restore: step.revision };
      if (!content) return { ...standing, made, before: standing, isKnown: false };
      return { ...standing, content, reviews: outdated(standing, content), made, before: standing };
    }
    case "review": {
      const state = step.decision === "taken_back" ? "none" : step.decision;
      const review: ClassReview = { state, note: step.note, by: "", at: null };
      return { ...standing, reviews: new Map([...standing.reviews, [step.key, review]]) };
    }
  }
}

/** A validated class that is no longer what was validated. */
function outdated({ content, reviews }: Standing, next: Content): ReadonlyMap<string, ClassReview> {
  const before = new Map(content.classes.map((each) => [each.key, each]));
  const changed = next.classes.flatMap((each) => {
    const [was, review] = [before.get(each.key), reviews.get(each.key)];
    const isSame = !was || (was.name === each.name && sameStrings(was.members, each.members));
    return isSame || review?.state !== "validated"
      ? []
      : [[each.key, { ...review, state: "changed" as const }] as const];
  });
  return changed.length === 0 ? reviews : new Map([...reviews, ...changed]);
}

function sameStrings(some: readonly string[], others: readonly string[]): boolean {
  const all = new Set(others);
  return some.length === others.length && some.every((each) => all.has(each));
}
