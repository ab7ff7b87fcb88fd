import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Answer } from "../../api/contract";
import { request } from "../../api/http";

export type ItemsPage = Answer<"/api/projects/{project_id}/items/", "get">;
export type ItemListed = ItemsPage["items"][number];
export type Which = "all" | "pool" | "given" | "left_out";

export interface Asked {
  q: string;
  which: Which;
  page: number;
}

export const itemsKey = (projectId: string) => ["items", projectId];

export const itemsQuery = (projectId: string, { q, which, page }: Asked) =>
  queryOptions({
    queryKey: [...itemsKey(projectId), q, which, page],
    queryFn: ({ signal }) =>
      request<ItemsPage>(
        "GET",
        `/api/projects/${projectId}/items/?${new URLSearchParams({ q, which, page: String(page) })}`,
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const itemsApi = {
  leaveOut: (id: string, reason: string) =>
    request<ItemListed>("POST", `/api/items/${id}/leave-out/`, { body: { reason } }),
  takeBack: (id: string) => request<ItemListed>("POST", `/api/items/${id}/take-back/`),
};
