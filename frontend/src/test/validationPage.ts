import "fake-indexeddb/auto";
import { screen, within } from "@testing-library/react";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, vi } from "vitest";
import type { SpanOut } from "../api/types";
import type {
  AnonymizedAnnotation,
  Decided,
  DecisionBody,
  ItemPage,
  ListedItem,
  Listing,
} from "../features/validation/api";
import { Answer, ME, PROJECT, roleOf, serve } from "./admin";
import { assignment } from "./fixtures";
import { renderApp } from "./renderApp";
import { LAYER } from "./spanFixtures";

const TEXT = "The board eased in May because trade fell.";

export function span(quote: string, category: string, comment: string | null = null): SpanOut {
  const start = TEXT.indexOf(quote);
  return { start, end: start + quote.length, quote, category, comment, source: null };
}

export const SENTENCE = span(TEXT, "sentence");

export function beside(
  letter: string,
  spans: SpanOut[],
  over: Partial<AnonymizedAnnotation> = {},
): AnonymizedAnnotation {
  return {
    ...{ id: `annotation-${letter}`, letter, spans, comment: "" },
    ...{ skipped: false, skip_reason: null, revised_since: false },
    ...over,
  };
}

const A = beside("A", [SENTENCE, span("eased", "act", "Cut rates")]);
export const B = beside("B", [SENTENCE, span("eased", "act", "Rates cut"), span("trade fell", "motive")], {
  comment: "Not sure about the motive.",
});
const C = beside("C", [], { skipped: true, skip_reason: "The text is cut off" });

export function itemPage(over: Partial<ItemPage> = {}): ItemPage {
  const item = { ...assignment("a1").item, id: "i1", external_id: "news-1", text: TEXT };
  return {
    ...{ id: "i1", batch_kind: "round", batch_number: 1, n_submitted: 3, n_needed: 3, state: "open" },
    ...{ item, sources: [], annotations: [A, B, C], revision: 0, decision: null, taken_back: null },
    codebook: { id: "c", version: 1, definition: { name: "Spans", stages: [], span_layer: LAYER } },
    ...{ previous: null, next: "i2", next_open: "i2" },
    ...over,
  };
}

export const DECIDED: Decided = {
  ...{ revision: 1, decision: "accepted", annotation: A.id, letter: "A", spans: A.spans, reason: "" },
  revised_since: false,
};

/** Settles as the server does; `answer` stands in for the next answer to a decision. */
export class Server {
  page: ItemPage;
  answer: Answer | null = null;
  posted: DecisionBody[] = [];

  constructor(page: ItemPage = itemPage()) {
    this.page = page;
  }

  install(role: "admin" | "adjudicator" = "adjudicator") {
    const project = { ...PROJECT, ...roleOf(role), has_spans: true };
    return serve({
      "GET /api/me/": ME,
      "GET /api/projects/": [project],
      "GET /api/projects/p1/": project,
      "GET /api/projects/p1/workers/": new Answer(503, {}),
      "GET /api/projects/p1/validation/": LISTING,
      "GET /api/projects/p1/validation/i1/": () => this.page,
      "GET /api/projects/p1/validation/i2/": () => ({ ...this.page, id: "i2" }),
      "POST /api/projects/p1/validation/i1/": ({ body }: { body: unknown }) =>
        this.take(body as DecisionBody),
    });
  }

  private take(body: DecisionBody): Answer {
    this.posted.push(body);
    const { answer } = this;
    this.answer = null;
    if (answer) return answer;
    const revision = this.page.revision + 1;
    const { decision, annotation, reason } = body;
    const letter = this.page.annotations.find(({ id }) => id === annotation)?.letter ?? null;
    if (decision === "reopened")
      this.page = { ...this.page, revision, state: "open", taken_back: this.page.decision, decision: null };
    else {
      const spans = decision === "accepted" ? (letter === "A" ? A : B).spans : body.spans;
      const decided = { revision, decision, annotation, letter, spans, reason, revised_since: false };
      this.page = { ...this.page, revision, state: decision, decision: decided, taken_back: null };
    }
    return new Answer(201, { revision, decision, annotation, spans: [], reason });
  }
}

function listed(id: string, over: Partial<ListedItem> = {}): ListedItem {
  return {
    ...{ id, external_id: `news-${id}`, title: "Rate cut", batch_kind: "round", batch_number: 1 },
    ...{ n_submitted: 3, n_needed: 3, state: "open", revised_since: false },
    ...over,
  };
}

const LISTING: Listing = {
  items: [listed("i1"), listed("i2", { state: "accepted", revised_since: true })],
  counts: { waiting: 4, open: 1, accepted: 1, edited: 0, rejected: 0 },
  ...{ page: 1, n_pages: 3 },
};

export const ITEM = "/projects/p1/validation/i1";
export const column = (letter: string) =>
  within(screen.getByRole("article", { name: `Annotation ${letter}` }));
export const decision = () => screen.getByRole("region", { name: "Decision" });

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  localStorage.clear();
});

export async function opened(server: Server, path = ITEM) {
  server.install();
  const view = renderApp(path);
  await screen.findByRole("article", { name: "Annotation A" });
  return view;
}
