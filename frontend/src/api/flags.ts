import { queryOptions } from "@tanstack/react-query";
import { get, ofProject, post } from "./client";
import type { Answer, Body } from "./contract";
import { offline } from "./offline";

export type OwnFlagsPage = Answer<"/api/projects/{project_id}/flags/", "get">;
export type OwnFlag = OwnFlagsPage["flags"][number];
export type ThreadMessage = OwnFlag["messages"][number];
export type CodebookNote = Answer<"/api/projects/{project_id}/codebook-notes/", "get">[number];
export type NoteBody = Body<"/api/projects/{project_id}/codebook-notes/", "post">;

/** What is sent of a flag; the same `client_id` again flags nothing twice. */
export interface SentFlag {
  client_id: string;
  note: string;
}

/** An admin answers while the page is open. */
const LOOK_AGAIN_MS = 60_000;

export const flagsKey = (projectId: string) => ["flags", projectId];
export const notesKey = (projectId: string) => ["codebook-notes", projectId];

/** The person's own flags with their threads: a page of all of them, or those on one item. */
export const ownFlagsQuery = (projectId: string, asked: { assignment?: string; page?: number }) =>
  queryOptions({
    queryKey: [...flagsKey(projectId), "own", asked],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/flags/", {
        params: { path: { project_id: projectId }, query: asked },
        signal,
      }),
    refetchInterval: LOOK_AGAIN_MS,
    meta: { beside: asked.assignment !== undefined },
  });

/** Which of the person's items they flagged: the threads of those alone are asked for. */
export const flaggedItemsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...flagsKey(projectId), "items"],
    ...offline(
      `flagged.${projectId}`,
      async (signal) =>
        (await get("/api/projects/{project_id}/flags/items/", { ...ofProject(projectId), signal }))
          .assignments,
    ),
    staleTime: LOOK_AGAIN_MS,
    meta: { beside: true },
  });

/** What admins tell everybody beside the codebook; what was read once can be read without a network. */
export const notesQuery = (projectId: string) =>
  queryOptions({
    queryKey: notesKey(projectId),
    ...offline(`codebook-notes.${projectId}`, (signal) =>
      get("/api/projects/{project_id}/codebook-notes/", { ...ofProject(projectId), signal }),
    ),
    staleTime: LOOK_AGAIN_MS,
    meta: { beside: true },
  });

const ofFlag = (project_id: string, flag_id: string) => ({ params: { path: { project_id, flag_id } } });

export const flagsApi = {
  flag: (assignment_id: string, body: SentFlag) =>
    post("/api/assignments/{assignment_id}/flag/", { params: { path: { assignment_id } }, body }),
  say: (projectId: string, flagId: string, body: { client_id: string; words: string }) =>
    post("/api/projects/{project_id}/flags/{flag_id}/messages/", { ...ofFlag(projectId, flagId), body }),
  read: (projectId: string, flagId: string, n_seen: number) =>
    post("/api/projects/{project_id}/flags/{flag_id}/read/", {
      ...ofFlag(projectId, flagId),
      body: { n_seen },
    }),
  publishNote: (projectId: string, body: NoteBody) =>
    post("/api/projects/{project_id}/codebook-notes/", { ...ofProject(projectId), body }),
  withdrawNote: (project_id: string, note_id: string) =>
    post("/api/projects/{project_id}/codebook-notes/{note_id}/withdraw/", {
      params: { path: { project_id, note_id } },
    }),
};
