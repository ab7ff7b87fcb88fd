import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, post } from "../../api/client";
import type { Answer } from "../../api/contract";

export type ItemsPage = Answer<"/api/projects/{project_id}/items/", "get">;
export type ItemListed = ItemsPage["items"][number];
export type Which = "all" | "pool" | "given" | "left_out";

export interface ItemFilters {
  q: string;
  which: Which;
  page: number;
}

export const itemsKey = (projectId: string) => ["items", projectId];

export const itemsQuery = (projectId: string, { q, which, page }: ItemFilters) =>
  queryOptions({
    queryKey: [...itemsKey(projectId), q, which, page],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/items/", {
        params: { path: { project_id: projectId }, query: { q, which, page } },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const itemsApi = {
  leaveOut: (id: string, reason: string) =>
    post("/api/items/{item_id}/leave-out/", { params: { path: { item_id: id } }, body: { reason } }),
  takeBack: (id: string) => post("/api/items/{item_id}/take-back/", { params: { path: { item_id: id } } }),
};
