import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "./contract";
import { request } from "./http";

export type Rest = Answer<"/api/batches/{batch_id}/rest/", "get">;
export type LeftToDo = Rest["people"][number];

const path = (id: string, what: string) => `/api/batches/${id}/${what}/`;

export const batchesApi = {
  close: (id: string) => request<Rest>("POST", path(id, "close")),
  reopen: (id: string) => request<Rest>("POST", path(id, "reopen")),
  handOver: (id: string, giver: string, taker: string) =>
    request<Rest>("POST", path(id, "hand-over"), { body: { giver, taker } }),
};

/** What is open in a batch, asked anew each time a dialog about it opens. */
export const restQuery = (id: string) =>
  queryOptions({
    queryKey: ["batch-rest", id],
    queryFn: ({ signal }) => request<Rest>("GET", path(id, "rest"), { signal }),
    staleTime: 0,
  });
