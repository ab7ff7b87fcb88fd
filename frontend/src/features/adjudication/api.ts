import { queryOptions } from "@tanstack/react-query";
import { get, ofProject, post } from "../../api/client";
import type { Answer, Body } from "../../api/contract";
import type { paths } from "../../api/schema";
import { asQuery, type Filters } from "./model/filters";

type ListPath = "/api/projects/{project_id}/adjudication/";
type ItemPath = "/api/projects/{project_id}/adjudication/{item_id}/";

export type Listing = Answer<ListPath, "get">;
export type ListedItem = Listing["items"][number];
export type State = ListedItem["stages"][number]["state"];
export type Case = Answer<ItemPath, "get">;
export type AnonymizedAnswer = Case["answers"][number];
export type Decision = NonNullable<Case["decision"]>;
export type DecisionBody = Required<Body<ItemPath, "post">>;
type SecondLooks = Answer<"/api/projects/{project_id}/second-looks/", "get">;
export type LookPlace = SecondLooks["rounds"][number];

export const listingQuery = (projectId: string, filters: Filters, page: number) =>
  queryOptions({
    queryKey: ["disagreements", projectId, filters, page],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/adjudication/", {
        params: { path: { project_id: projectId }, query: { ...asQuery(filters), page } },
        signal,
      }),
  });

/** The reader's own answers are final: the list then leaves none of these items out. */
export function lockOwnAnswers(projectId: string, filters: Filters): Promise<Listing> {
  return get("/api/projects/{project_id}/adjudication/", {
    params: { path: { project_id: projectId }, query: { ...asQuery(filters), own: "locked" } },
  });
}

type CaseFilters = paths[ItemPath]["get"]["parameters"]["query"];

function loadCase(
  projectId: string,
  itemId: string,
  query: CaseFilters,
  signal?: AbortSignal,
): Promise<Case> {
  const path = { project_id: projectId, item_id: itemId };
  const params = { path, query };
  return get("/api/projects/{project_id}/adjudication/{item_id}/", { params, signal });
}

/** Loaded ahead for the next item; not changed under the reader's eyes. A decision from an old one is refused. */
export const caseQuery = (projectId: string, itemId: string, filters: Filters) =>
  queryOptions({
    queryKey: ["case", projectId, itemId, filters],
    queryFn: ({ signal }) => loadCase(projectId, itemId, asQuery(filters), signal),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** With the reader's own answer to it final. */
export function lookAt(projectId: string, itemId: string, filters: Filters): Promise<Case> {
  return loadCase(projectId, itemId, { ...asQuery(filters), own: "locked" });
}

export function decide(projectId: string, itemId: string, body: DecisionBody): Promise<Decision> {
  return post("/api/projects/{project_id}/adjudication/{item_id}/", {
    params: { path: { project_id: projectId, item_id: itemId } },
    body,
  });
}

/** While people take one their progress is followed. */
export const secondLooksQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["second-looks", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/second-looks/", { ...ofProject(projectId), signal }),
    refetchInterval: 15_000,
  });

export function secondLook(roundId: string, act: "open" | "close"): Promise<SecondLooks> {
  const round = { params: { path: { round_id: roundId } } };
  return act === "open"
    ? post("/api/rounds/{round_id}/second-look/", round)
    : post("/api/rounds/{round_id}/second-look/close/", round);
}
