import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Component } from "../features/equivalence/editor";
import type { Evaluation, Overview } from "../features/equivalence/types";
import { Answer, renderScreen, roleOf, serve } from "./admin";

const NOT_REVIEWED = { state: "none", note: "", by: "", at: null } as const;

export const EVALUATION: Evaluation = {
  ...{ id: "e1", category: "scope", name: "temporal scope", part: "words", in_depth: false, revision: 3 },
  ...{ n_classes: 2, n_members: 3, n_unused: 1, n_validated: 0, n_returned: 0, left_out: "" },
  ...{ updated_at: "2026-11-30T06:00:00Z", updated_by: "Ann", removed_at: null, undo_to: 2 },
  classes: [
    { key: "a", name: "soon", members: ["soon", "in a jiffy"], review: NOT_REVIEWED },
    { key: "b", name: "", members: ["next year"], review: NOT_REVIEWED },
  ],
};

export const OVERVIEW: Overview = {
  ...{ can_group: true, can_validate: true, can_manage: true, parts: ["words", "comment", "both"] },
  categories: [{ key: "scope", title: "Scope", color: "orange", has_comment: false, n_spans: 9 }],
  ...{ evaluations: [EVALUATION], removed: [], hidden_items: 0 },
};

const STRINGS = ["soon", "next year", "shortly", "now"];

interface Sent {
  client_id: string;
  base_revision: number;
  action: string;
  classes: { key: string; name: string; members: string[] }[];
}

/** One evaluation in memory, which takes changes as the API does. */
export class EvaluationServer {
  evaluation = EVALUATION;
  sent: Sent[] = [];
  reviews: unknown[] = [];
  /** Answered first, in their order; what throws is a dead network. */
  failures: (() => Answer)[] = [];
  private readonly older = new Map([[2, EVALUATION]]);

  /** What somebody does. */
  take(classes: Sent["classes"], by: string, undo_to: number | null = this.evaluation.revision): Evaluation {
    const known = new Map(this.evaluation.classes.map((each) => [each.key, each.review]));
    this.older.set(this.evaluation.revision, this.evaluation);
    this.evaluation = {
      ...{ ...this.evaluation, revision: this.evaluation.revision + 1, updated_by: by, undo_to },
      classes: classes.map((each) => ({ ...each, review: known.get(each.key) ?? NOT_REVIEWED })),
    };
    return this.evaluation;
  }

  private change(body: Sent): Answer {
    const failure = this.failures.shift();
    if (failure) return failure();
    if (body.base_revision !== this.evaluation.revision)
      return new Answer(409, { detail: "stale", code: "stale", current: this.evaluation });
    this.sent.push(body);
    return new Answer(200, this.take(body.classes, "Admin"));
  }

  routes() {
    const root = "/api/projects/p1/equivalence/";
    return {
      [`GET ${root}`]: () => OVERVIEW,
      [`GET ${root}e1/`]: () => this.evaluation,
      [`GET ${root}e1/strings/`]: {
        strings: STRINGS.map((text, place) => ({ text, n: 4 - place, class_key: null })),
        ...{ unused: [], n_spans: 9, n_without_part: 0, hidden_items: 0 },
      },
      [`GET ${root}e1/places/`]: {
        places: [
          ...[{ item: "i1", item_id: "week-1", before: "It acts ", words: "soon", comment: "", after: "." }],
        ].map((place) => ({ ...place, batch: 1 })),
        ...{ n: 1, page: 1, n_pages: 1 },
      },
      [`GET ${root}e1/suggestions/`]: {
        ...{ state: "ready", failure: "", encoder: "", n_new: 0 },
        pairs: [{ text: "shortly", other: "soon", score: 0.5, shared: ["s"], class_key: "a" }],
      },
      [`PUT ${root}e1/`]: ({ body }: { body: unknown }) => this.change(body as Sent),
      [`POST ${root}e1/undo/`]: () => {
        const to = this.older.get(this.evaluation.undo_to ?? 0) ?? EVALUATION;
        return this.take(to.classes, "Admin", to.undo_to);
      },
      [`GET ${root}e1/revisions/`]: {
        revisions: [3, 2, 1].map((number) => ({
          ...{ number, action: `Change ${number}`, by: "Ann", at: "2026-11-30T06:00:00Z" },
        })),
        ...{ page: 1, n_pages: 1 },
      },
      [`POST ${root}e1/restore/`]: ({ body }: { body: unknown }) => {
        const { revision } = body as { revision: number };
        return this.take((this.older.get(revision) ?? EVALUATION).classes, "Admin");
      },
      [`POST ${root}e1/reviews/`]: ({ body }: { body: unknown }) => {
        this.reviews.push(body);
        const { class_key, decision, note } = body as { class_key: string; decision: string; note: string };
        const state = decision as "validated" | "returned";
        const classes = this.evaluation.classes.map((each) =>
          each.key === class_key ? { ...each, review: { state, note, by: "Admin", at: "" } } : each,
        );
        this.evaluation = { ...this.evaluation, classes };
        return this.evaluation;
      },
    };
  }
}

/** The editor of the evaluation, with its strings. */
export async function openEditor(role: "admin" | "annotator" = "admin") {
  const server = new EvaluationServer();
  const asked = serve(server.routes());
  const path = "/projects/p1/equivalence/";
  const shown = renderScreen(Component, roleOf(role), `${path}e1`, `${path}:evaluationId`);
  await screen.findByRole("option", { name: /soon/ });
  return { server, asked, user: userEvent.setup(), ...shown };
}
