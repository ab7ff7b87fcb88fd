import { queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api/client";
import type { Answer, Body } from "../../api/contract";
import type { SpanLayer, SpanOut } from "../../api/types";

type ListPath = "/api/projects/{project_id}/validation/";
type ItemPath = "/api/projects/{project_id}/validation/{item_id}/";

export type Listing = Answer<ListPath, "get">;
export type ListedItem = Listing["items"][number];
export type State = ListedItem["state"];
export type Which = "open" | "waiting" | "resolved" | "all";

export type ItemPage = Answer<ItemPath, "get">;
export type AnonymizedAnnotation = ItemPage["annotations"][number];
export type Decided = NonNullable<ItemPage["decision"]>;
export type DecisionBody = Omit<Required<Body<ItemPath, "post">>, "spans"> & { spans: SpanOut[] };
type DecisionStored = Answer<ItemPath, "post", 201>;

export const listingQuery = (projectId: string, state: Which, page: number) =>
  queryOptions({
    queryKey: ["validation", projectId, state, page],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/validation/", {
        params: { path: { project_id: projectId }, query: { state, page } },
        signal,
      }),
  });

/** Never shown from a cache, nor changed under the reader's eyes: what is decided is what was looked at. */
export const itemQuery = (projectId: string, itemId: string) =>
  queryOptions({
    queryKey: ["validation-item", projectId, itemId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/validation/{item_id}/", {
        params: { path: { project_id: projectId, item_id: itemId } },
        signal,
      }),
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** With the reader's own annotation of it final. */
export function lookAt(projectId: string, itemId: string): Promise<ItemPage> {
  return get("/api/projects/{project_id}/validation/{item_id}/", {
    params: { path: { project_id: projectId, item_id: itemId }, query: { own: "locked" } },
  });
}

export function decide(projectId: string, itemId: string, body: DecisionBody): Promise<DecisionStored> {
  return post("/api/projects/{project_id}/validation/{item_id}/", {
    params: { path: { project_id: projectId, item_id: itemId } },
    body,
  });
}

export function layerOf(page: ItemPage): SpanLayer {
  const layer = page.codebook.definition.span_layer;
  if (!layer) throw new Error("The codebook of this item has no span layer.");
  return layer;
}
