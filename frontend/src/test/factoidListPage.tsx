import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { SaveStatus } from "../annotate/saving/SaveStatus";
import {
  type Factoid,
  type FactoidList,
  type ItemAnswer,
  type StepKind,
  type StoredRevision,
  withSteps,
} from "../api/factoids";
import { Component } from "../features/factoids/list";
import { OutboxProvider } from "../outbox/OutboxProvider";
import { Answer, ME, renderScreen, serve } from "./admin";

export interface SentRevision {
  client_id: string;
  base_revision: number;
  kind: StepKind;
  changes: { key: string; after: Omit<Factoid, "key"> | null }[];
  item: { id: string; is_there: boolean | null; note: string } | null;
}

const answerOf = ({ is_there, note }: ItemAnswer): ItemAnswer => ({ is_there, note });

/** One factoid list in memory, which takes revisions as the API does. */
export class ListServer {
  list: FactoidList;
  sent: SentRevision[] = [];
  revisions: StoredRevision[] = [];
  /** Answered first, in their order; what throws is a dead network. */
  failures: (() => Answer)[] = [];

  constructor(list: FactoidList) {
    this.list = list;
  }

  /** What somebody does on another device. */
  take({ kind, changes, item }: Pick<SentRevision, "kind" | "changes" | "item">): void {
    const before = new Map(this.list.factoids.map((factoid) => [factoid.key, factoid]));
    const full = changes.map(({ key, after }) => ({
      ...{ key, before: before.get(key) ?? null, after: after && { ...after, key } },
    }));
    const known = this.list.items.find(({ id }) => id === item?.id);
    const decided = known && item ? { id: item.id, before: answerOf(known), after: answerOf(item) } : null;
    const revision = this.list.revision + 1;
    this.list = { ...withSteps(this.list, [{ kind, changes: full, item: decided }]), revision };
    this.revisions.unshift({ revision, kind, changes: full, item: decided, created_at: "" });
  }

  routes() {
    return {
      "GET /api/factoid-lists/l1/": () => this.list,
      "GET /api/factoid-lists/l1/revisions/": () => ({ revisions: this.revisions }),
      "POST /api/factoid-lists/l1/revisions/": ({ body }: { body: unknown }) =>
        this.revise(body as SentRevision),
      "POST /api/factoid-lists/l1/done/": ({ body }: { body: unknown }) => {
        const { done } = body as { done: boolean };
        this.list = { ...this.list, done_at: done ? "2026-11-29T12:00:00Z" : null };
        return this.list;
      },
    };
  }

  private revise(body: SentRevision): Answer {
    const failure = this.failures.shift();
    if (failure) return failure();
    if (body.base_revision !== this.list.revision) return new Answer(409, { detail: "stale", code: "stale" });
    this.sent.push(body);
    this.take(body);
    return new Answer(201, { revision: this.list.revision, factoids: [] });
  }
}

function Screen() {
  return (
    <OutboxProvider userId={ME.id}>
      <SaveStatus />
      <Component />
    </OutboxProvider>
  );
}

/** The page of a list, with its first sentence at hand. */
export async function openList(list: FactoidList) {
  const server = new ListServer(list);
  const asked = serve(server.routes());
  const page = showList();
  await screen.findByRole("heading", { level: 1 });
  return { server, asked, ...page };
}

/** Loads the page, or loads it again. */
export function showList() {
  const path = "/projects/p1/factoids/lists/";
  const shown = renderScreen(Screen, {}, `${path}l1`, `${path}:listId`);
  return { user: userEvent.setup(), ...shown };
}

export const saveStatus = () => screen.getByTestId("save-status").textContent;
export const announced = () => screen.getByRole("status", { name: "Announcements" }).textContent;
