import { queryOptions } from "@tanstack/react-query";
import { get, ofProject, post, put, remove } from "./client";
import type { Answer, Body } from "./contract";

export type Practice = Answer<"/api/projects/{project_id}/practices/", "get">["practices"][number];
export type PracticeDetail = Answer<"/api/practices/{practice_id}/", "get">;
export type PracticeItem = PracticeDetail["items"][number];
export type PracticeBody = Body<"/api/projects/{project_id}/practices/", "post">;
export type PracticeItemsBody = Body<"/api/practices/{practice_id}/items/", "post">;
export type KeyBody = Body<"/api/practices/{practice_id}/items/{item_id}/", "put">;
export type OwnPractice = Answer<"/api/projects/{project_id}/practices/mine/", "get">["practices"][number];

const of = (practice_id: string) => ({ params: { path: { practice_id } } });
const ofItem = (practice_id: string, item_id: string) => ({ params: { path: { practice_id, item_id } } });

export const practiceApi = {
  make: (projectId: string, body: PracticeBody) =>
    post("/api/projects/{project_id}/practices/", { ...ofProject(projectId), body }),
  change: (id: string, body: PracticeBody) => put("/api/practices/{practice_id}/", { ...of(id), body }),
  remove: (id: string) => remove("/api/practices/{practice_id}/", of(id)),
  addItems: (id: string, body: PracticeItemsBody) =>
    post("/api/practices/{practice_id}/items/", { ...of(id), body }),
  removeItem: (id: string, itemId: string) =>
    remove("/api/practices/{practice_id}/items/{item_id}/", ofItem(id, itemId)),
  writeKey: (id: string, itemId: string, body: KeyBody) =>
    put("/api/practices/{practice_id}/items/{item_id}/", { ...ofItem(id, itemId), body }),
  open: (id: string) => post("/api/practices/{practice_id}/open/", of(id)),
  close: (id: string) => post("/api/practices/{practice_id}/close/", of(id)),
  begin: (id: string) => post("/api/practices/{practice_id}/attempts/", of(id)),
};

export const practicesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["practices", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/practices/", { ...ofProject(projectId), signal }),
  });

export const practiceQuery = (id: string) =>
  queryOptions({
    queryKey: ["practice", id],
    queryFn: ({ signal }) => get("/api/practices/{practice_id}/", { ...of(id), signal }),
    refetchOnWindowFocus: false,
  });

/** How the signed-in person stands in each practice that is or was open. Asked once a visit, and after each key. */
export const ownPracticesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["own-practices", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/practices/mine/", { ...ofProject(projectId), signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    meta: { beside: true },
  });
