import { queryOptions } from "@tanstack/react-query";
import { get as getTyped, post as postTyped } from "./client";
import { offline, recall, remember } from "./offline";

// The server's schema does not have these routes yet.
type Call = (path: string, options: unknown) => Promise<unknown>;
const get = getTyped as unknown as Call;
const post = postTyped as unknown as Call;

export interface SetSentence {
  id: string;
  text: string;
}

export interface SetText {
  id: string;
  uuid: string;
  is_system: boolean;
  sentences: SetSentence[];
}

export interface Factoid {
  key: string;
  /** As people see it: F9.21. */
  id: string;
  description: string;
  sentences: string[];
  /** Ids of the texts that it is not in, as an annotator said. */
  absent: string[];
}

export interface ListItem {
  id: string;
  /** Of the factoid. */
  key: string;
  text: string;
  was_there: boolean | null;
  is_there: boolean | null;
  note: string;
  decided_at: string | null;
  /** Everybody's, in a consensus alone. */
  answers: { name: string; is_there: boolean; sentences: string[] }[];
}

export interface FactoidList {
  id: string;
  kind: "definition" | "annotation" | "consensus";
  step: "independent" | "second_look" | "consensus";
  phase: string | null;
  state: "open" | "closed" | "published";
  owner: { id: string; name: string } | null;
  revision: number;
  done_at: string | null;
  version: number | null;
  set: { id: string; name: string };
  texts: SetText[];
  factoids: Factoid[];
  items: ListItem[];
  may_edit: boolean;
}

export type StepKind =
  | "new"
  | "describe"
  | "link"
  | "unlink"
  | "split"
  | "merge"
  | "renumber"
  | "delete"
  | "absent"
  | "decide"
  | "undo"
  | "redo";

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

export type FactoidState = Omit<Factoid, "key">;

export interface StoredRevision {
  revision: number;
  kind: StepKind;
  changes: { key: string; before: FactoidState | null; after: FactoidState | null }[];
  created_at: string;
}

export interface StepReceipt {
  revision: number;
}

// The ids of factoids in natural order: F2 before F10.
const NATURAL = new Intl.Collator("en", { numeric: true });

export function naturally(a: { id: string }, b: { id: string }): number {
  return NATURAL.compare(a.id, b.id);
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
    }) as Promise<FactoidList>,
  revise: (listId: string, { changes, item, ...step }: SentStep) =>
    post("/api/factoid-lists/{list_id}/revisions/", {
      params: { path: { list_id: listId } },
      body: {
        ...step,
        changes: changes.map(({ key, after }) => ({ key, after: after && withoutKey(after) })),
        item: item && { id: item.id, ...item.after },
      },
    }) as Promise<StepReceipt>,
  /** The newest first. */
  revisions: (listId: string, signal?: AbortSignal) =>
    get("/api/factoid-lists/{list_id}/revisions/", {
      params: { path: { list_id: listId } },
      signal,
    }) as Promise<{ revisions: StoredRevision[] }>,
  setDone: (listId: string, done: boolean) =>
    post("/api/factoid-lists/{list_id}/done/", {
      params: { path: { list_id: listId } },
      body: { done },
    }) as Promise<Pick<FactoidList, "done_at">>,
};

function withoutKey({ key: _, ...factoid }: Factoid): FactoidState {
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
