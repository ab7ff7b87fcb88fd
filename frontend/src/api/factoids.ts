import { queryOptions } from "@tanstack/react-query";
import { naturally } from "../text/natural";
import { get, post } from "./client";
import { offline, recall, remember } from "./offline";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type FactoidList = Schemas["FactoidListOut"];
export type SetText = FactoidList["texts"][number];
export type Factoid = FactoidList["factoids"][number];
export type ListItem = FactoidList["items"][number];
export type StoredRevision = Schemas["FactoidRevisionOut"];
export type StepReceipt = Schemas["FactoidStepOut"];
type StepBody = Schemas["FactoidStepInRequest"];
export type StepKind = StepBody["kind"];

export interface FactoidChange {
  key: string;
  before: Factoid | null;
  /** null: it is gone. */
  after: Factoid | null;
}

export type ItemAnswer = Pick<ListItem, "is_there" | "note">;

/** One step of work on a list: what it made of factoids, and of the item that it decided. */
export interface ListStep {
  kind: StepKind;
  changes: FactoidChange[];
  item: { id: string; before: ItemAnswer; after: ItemAnswer } | null;
}

/** A step on its way: `base_revision` is the list's revision before it. */
export interface SentStep extends ListStep {
  client_id: string;
  base_revision: number;
}

/** The list after these steps, in their order. What they do not touch stays the same object. */
export function withSteps(list: FactoidList, steps: readonly ListStep[]): FactoidList {
  if (steps.length === 0) return list;
  const factoids = new Map(list.factoids.map((factoid) => [factoid.key, factoid]));
  const answers = new Map<string, ItemAnswer>();
  for (const { changes, item } of steps) {
    for (const { key, after } of changes) {
      if (after) factoids.set(key, after);
      else factoids.delete(key);
    }
    if (item) answers.set(item.id, item.after);
  }
  const items = list.items.map((item) => ({ ...item, ...answers.get(item.id) }));
  return {
    ...list,
    factoids: [...factoids.values()].sort(naturally),
    items: answers.size === 0 ? list.items : items,
  };
}

export const listApi = {
  list: (listId: string, signal?: AbortSignal) =>
    get("/api/factoid-lists/{list_id}/", {
      params: { path: { list_id: listId } },
      signal,
    }),
  revise: (listId: string, { changes, item, ...step }: SentStep) =>
    post("/api/factoid-lists/{list_id}/revisions/", {
      params: { path: { list_id: listId } },
      body: {
        ...step,
        changes: changes.map(({ key, after }) => ({ key, after: after && withoutKey(after) })),
        item: item && { id: item.id, ...item.after },
      },
    }),
  /** The newest first. */
  revisions: (listId: string, signal?: AbortSignal) =>
    get("/api/factoid-lists/{list_id}/revisions/", {
      params: { path: { list_id: listId } },
      signal,
    }),
  setDone: (listId: string, done: boolean) =>
    post("/api/factoid-lists/{list_id}/done/", {
      params: { path: { list_id: listId } },
      body: { done },
    }),
};

function withoutKey({ key: _, ...factoid }: Factoid): Omit<Factoid, "key"> {
  return factoid;
}

const keptAs = (listId: string) => `factoid-list.${listId}`;

export const listQuery = (listId: string) =>
  queryOptions({
    queryKey: ["factoid-list", listId],
    ...offline(keptAs(listId), (signal) => listApi.list(listId, signal)),
    staleTime: 30_000,
  });

/** Keeps what a list became by a step that the server took, for a page that is loaded without a network. */
export async function rememberStep(listId: string, step: ListStep, revision: number): Promise<void> {
  const kept = await recall<FactoidList>(keptAs(listId));
  if (kept && kept.revision < revision)
    await remember(keptAs(listId), { ...withSteps(kept, [step]), revision });
}
