import { queryOptions } from "@tanstack/react-query";
import type { Answer, Body } from "../../api/contract";
import { request } from "../../api/http";
import type { Assignment } from "../../api/types";
import { asQuery, type Filters } from "./model/filters";

type ListPath = "/api/projects/{project_id}/adjudication/";
type ItemPath = "/api/projects/{project_id}/adjudication/{item_id}/";

export type Listing = Answer<ListPath, "get">;
export type ListedItem = Listing["items"][number];
export type State = ListedItem["stages"][number]["state"];
export type Case = Omit<Answer<ItemPath, "get">, "codebook"> & { codebook: Assignment["codebook"] };
export type Beside = Case["answers"][number];
export type Decision = NonNullable<Case["decision"]>;
export type DecisionBody = Required<Body<ItemPath, "post">>;
type SecondLooks = Answer<"/api/projects/{project_id}/second-looks/", "get">;
export type LookPlace = SecondLooks["rounds"][number];

const path = (projectId: string) => `/api/projects/${projectId}/adjudication/`;

export const listingQuery = (projectId: string, filters: Filters, page: number) =>
  queryOptions({
    queryKey: ["disagreements", projectId, filters, page],
    queryFn: ({ signal }) =>
      request<Listing>("GET", path(projectId), { query: { ...asQuery(filters), page }, signal }),
  });

/** The reader's own answers are final: the list then leaves none of these items out. */
export function settleOwn(projectId: string, filters: Filters): Promise<Listing> {
  return request<Listing>("GET", path(projectId), { query: { ...asQuery(filters), own: "locked" } });
}

/** Loaded ahead for the next item; not changed under the reader's eyes. A decision from an old one is refused. */
export const caseQuery = (projectId: string, itemId: string, filters: Filters) =>
  queryOptions({
    queryKey: ["case", projectId, itemId, filters],
    queryFn: ({ signal }) =>
      request<Case>("GET", `${path(projectId)}${itemId}/`, { query: asQuery(filters), signal }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** With the reader's own answer to it final. */
export function lookAt(projectId: string, itemId: string, filters: Filters): Promise<Case> {
  return request<Case>("GET", `${path(projectId)}${itemId}/`, {
    query: { ...asQuery(filters), own: "locked" },
  });
}

export function decide(projectId: string, itemId: string, body: DecisionBody): Promise<Decision> {
  return request<Decision>("POST", `${path(projectId)}${itemId}/`, { body });
}

/** While people take one their progress is followed. */
export const secondLooksQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["second-looks", projectId],
    queryFn: ({ signal }) =>
      request<SecondLooks>("GET", `/api/projects/${projectId}/second-looks/`, { signal }),
    refetchInterval: 15_000,
  });

export function secondLook(roundId: string, act: "open" | "close"): Promise<SecondLooks> {
  const end = act === "open" ? "" : "close/";
  return request<SecondLooks>("POST", `/api/rounds/${roundId}/second-look/${end}`);
}
