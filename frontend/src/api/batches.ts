import { queryOptions } from "@tanstack/react-query";
import { get, post } from "./client";
import type { Answer } from "./contract";

export type Rest = Answer<"/api/batches/{batch_id}/rest/", "get">;
export type BatchSuggestions = Answer<"/api/batches/{batch_id}/suggestions/", "get">;
export type SuggestionMode = BatchSuggestions["settings"][number]["mode"];
export type LeftToDo = Rest["people"][number];
export type ChosenBatch = Answer<"/api/projects/{project_id}/chosen-batches/", "get">[number];
export type BatchChecks = Answer<"/api/batches/{batch_id}/check-items/", "get">;
export type CheckResult = Omit<BatchChecks["people"][number], "id" | "display_name">;
export type Taker = Rest["joiners"][number];

const batch = (batch_id: string) => ({ params: { path: { batch_id } } });

export const batchesApi = {
  close: (id: string) => post("/api/batches/{batch_id}/close/", batch(id)),
  reopen: (id: string) => post("/api/batches/{batch_id}/reopen/", batch(id)),
  handOver: (id: string, giver: string, taker: string) =>
    post("/api/batches/{batch_id}/hand-over/", { ...batch(id), body: { giver, taker } }),
  takeOff: (id: string, person: string) =>
    post("/api/batches/{batch_id}/take-off/", { ...batch(id), body: { person } }),
  putBack: (id: string, person: string) =>
    post("/api/batches/{batch_id}/put-back/", { ...batch(id), body: { person } }),
  addPerson: (id: string, person: string) =>
    post("/api/batches/{batch_id}/add-person/", { ...batch(id), body: { person } }),
  setPriority: (id: string, priority: number) =>
    post("/api/batches/{batch_id}/priority/", { ...batch(id), body: { priority } }),
  suggest: (id: string, body: { mode: SuggestionMode; evaluation: string | null; system: string }) =>
    post("/api/batches/{batch_id}/suggestions/", { ...batch(id), body }),
};

export const suggestionsQuery = (id: string) =>
  queryOptions({
    queryKey: ["batch-suggestions", id],
    queryFn: ({ signal }) => get("/api/batches/{batch_id}/suggestions/", { ...batch(id), signal }),
  });

/** What is open in a batch, asked anew each time a dialog about it opens. */
export const restQuery = (id: string) =>
  queryOptions({
    queryKey: ["batch-rest", id],
    queryFn: ({ signal }) => get("/api/batches/{batch_id}/rest/", { ...batch(id), signal }),
    staleTime: 0,
  });

export const checksQuery = (id: string) =>
  queryOptions({
    queryKey: ["batch-checks", id],
    queryFn: ({ signal }) => get("/api/batches/{batch_id}/check-items/", { ...batch(id), signal }),
    staleTime: 0,
  });

/** While people answer them their progress is followed. */
export const chosenQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["chosen-batches", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/chosen-batches/", {
        params: { path: { project_id: projectId } },
        signal,
      }),
    refetchInterval: 10_000,
  });
