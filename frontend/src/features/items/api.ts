import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, ofProject, post } from "../../api/client";
import type { Answer, Body } from "../../api/contract";
import type { paths } from "../../api/schema";

export type ItemsPage = Answer<"/api/projects/{project_id}/items/", "get">;
export type ItemListed = ItemsPage["items"][number];
export type ItemChoices = Answer<"/api/projects/{project_id}/items/choices/", "get">;
export type ItemHistory = Answer<"/api/items/{item_id}/history/", "get">;
export type Column = Answer<"/api/projects/{project_id}/columns/", "get">["columns"][number];

/** As the address holds them; what is empty is not asked for. */
export interface ItemFilters {
  q: string;
  state: string;
  batch: string;
  stage: string;
  label: string;
  by: string;
  outcome: string;
  remark: string;
  document: string;
  speaker: string;
  /** Each a JSON list of the column's path and its value. */
  column: string[];
}

/** The order, and the item beside which the page begins. */
export interface Place {
  sort: string;
  after: string;
  before: string;
}

export const NONE: ItemFilters = {
  q: "",
  state: "",
  batch: "",
  stage: "",
  label: "",
  by: "",
  outcome: "",
  remark: "",
  document: "",
  speaker: "",
  column: [],
};

const PLACE: Place = { sort: "", after: "", before: "" };

export function filtersOf(address: URLSearchParams): ItemFilters {
  const single = Object.keys(NONE).map((name) => [name, address.get(name) ?? ""]);
  return { ...(Object.fromEntries(single) as ItemFilters), column: address.getAll("column") };
}

export function placeOf(address: URLSearchParams): Place {
  return Object.fromEntries(
    Object.keys(PLACE).map((name) => [name, address.get(name) ?? ""]),
  ) as unknown as Place;
}

/** Those that are set. */
export function chosen(asked: Partial<ItemFilters & Place>): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value.length > 0));
}

export function addressOf(asked: Partial<ItemFilters & Place>): URLSearchParams {
  const pairs = Object.entries(chosen(asked)).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, each]),
  );
  return new URLSearchParams(pairs);
}

export const itemsKey = (projectId: string) => ["items", projectId];

type Query = paths["/api/projects/{project_id}/items/"]["get"]["parameters"]["query"];
type CountQuery = paths["/api/projects/{project_id}/items/count/"]["get"]["parameters"]["query"];

export const itemsQuery = (projectId: string, filters: ItemFilters, place: Place) =>
  queryOptions({
    queryKey: [...itemsKey(projectId), addressOf({ ...filters, ...place }).toString()],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/items/", {
        // They stand in the address: what the server does not know, it refuses.
        params: { path: { project_id: projectId }, query: chosen({ ...filters, ...place }) as Query },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const countQuery = (projectId: string, filters: ItemFilters) =>
  queryOptions({
    queryKey: [...itemsKey(projectId), "count", addressOf(filters).toString()],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/items/count/", {
        params: { path: { project_id: projectId }, query: chosen(filters) as CountQuery },
        signal,
      }),
  });

export const choicesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...itemsKey(projectId), "choices"],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/items/choices/", { ...ofProject(projectId), signal }),
  });

export type Act = "leave_out" | "take_back" | "open_batch";

/** These items, or those that match. */
export type Chosen = { items: string[] } | { filters: ItemFilters };

type Sent = Body<"/api/projects/{project_id}/items/acts/", "post">;
type SentFilters = NonNullable<Sent["filters"]>;

export interface ActBody {
  act: Act;
  items?: string[];
  filters?: ItemFilters;
  expected: number;
  reason?: string;
  annotators?: string[];
  annotators_per_item?: number;
}

/** Filters as a body has them: without those that are not set. */
function sentFilters(filters?: ItemFilters): SentFilters | undefined {
  return filters && (chosen(filters) as SentFilters);
}

export const previewQuery = (projectId: string, act: Act, of: Chosen) =>
  queryOptions({
    queryKey: [...itemsKey(projectId), "preview", act, of],
    queryFn: ({ signal }) =>
      post("/api/projects/{project_id}/items/preview/", {
        ...ofProject(projectId),
        body: "items" in of ? { act, items: of.items } : { act, filters: sentFilters(of.filters) },
        signal,
      }),
    // Somebody else may have acted meanwhile.
    gcTime: 0,
  });

export const historyQuery = (itemId: string) =>
  queryOptions({
    queryKey: ["item-history", itemId],
    queryFn: ({ signal }) => itemsApi.history(itemId, undefined, signal),
  });

export const itemsApi = {
  act: (projectId: string, { filters, ...body }: ActBody & { client_id: string }) =>
    post("/api/projects/{project_id}/items/acts/", {
      ...ofProject(projectId),
      body: { ...body, filters: sentFilters(filters) } as Sent,
    }),
  /** `own` locks the reader's own answer, and shows the others'. */
  history: (id: string, own?: "locked", signal?: AbortSignal) =>
    get("/api/items/{item_id}/history/", { params: { path: { item_id: id }, query: { own } }, signal }),
  leaveOut: (id: string, reason: string) =>
    post("/api/items/{item_id}/leave-out/", { params: { path: { item_id: id } }, body: { reason } }),
  takeBack: (id: string) => post("/api/items/{item_id}/take-back/", { params: { path: { item_id: id } } }),
};
