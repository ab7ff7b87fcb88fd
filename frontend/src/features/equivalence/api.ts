import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, ofProject, post, put } from "../../api/client";
import type { Body } from "../../api/contract";
import { upload } from "../../api/upload";
import type { Content } from "./model/edits";
import type { Server } from "./model/saver";
import type { By, Evaluation, FileRead, Part } from "./types";

const ofEvaluation = (project_id: string, equivalence_id: string) => ({
  params: { path: { project_id, equivalence_id } },
});

export const equivalenceApi = {
  create: (projectId: string, body: Body<"/api/projects/{project_id}/equivalence/", "post">) =>
    post("/api/projects/{project_id}/equivalence/", { ...ofProject(projectId), body }),
  remove: (projectId: string, id: string) =>
    post("/api/projects/{project_id}/equivalence/{equivalence_id}/remove/", ofEvaluation(projectId, id)),
  putBack: (projectId: string, id: string) =>
    post("/api/projects/{project_id}/equivalence/{equivalence_id}/put-back/", ofEvaluation(projectId, id)),
  findAlike: (projectId: string, id: string) =>
    post("/api/projects/{project_id}/equivalence/{equivalence_id}/suggestions/", ofEvaluation(projectId, id)),
  importFile: (projectId: string, file: File, isDryRun: boolean) => {
    const form = new FormData();
    form.set("file", file);
    const path = filePath(projectId);
    return upload<FileRead>(isDryRun ? `${path}?dry_run=true` : path, form);
  },
};

/** How the editor of an evaluation stores what is done. */
export function serverOf(projectId: string): Server {
  const base = ({ revision }: Evaluation, client_id: string) => ({ base_revision: revision, client_id });
  return {
    save: (at, clientId, action, { classes, name, part, in_depth }: Content) =>
      put("/api/projects/{project_id}/equivalence/{equivalence_id}/", {
        ...ofEvaluation(projectId, at.id),
        body: {
          ...{ ...base(at, clientId), action, name, part, in_depth },
          classes: classes.map(({ members, ...each }) => ({ ...each, members: [...members] })),
        },
      }),
    undo: (at, clientId) =>
      post("/api/projects/{project_id}/equivalence/{equivalence_id}/undo/", {
        ...ofEvaluation(projectId, at.id),
        body: base(at, clientId),
      }),
    restore: (at, clientId, revision) =>
      post("/api/projects/{project_id}/equivalence/{equivalence_id}/restore/", {
        ...ofEvaluation(projectId, at.id),
        body: { ...base(at, clientId), revision },
      }),
    review: (at, { clientId, key, decision, note }) =>
      post("/api/projects/{project_id}/equivalence/{equivalence_id}/reviews/", {
        ...ofEvaluation(projectId, at.id),
        body: { class_key: key, decision, note, revision: at.revision, client_id: clientId },
      }),
  };
}

export const filePath = (projectId: string) => `/api/projects/${projectId}/equivalence/file/`;

/** The address of a download of instances, or of augmented targets. */
export function downloadPath(
  projectId: string,
  what: "instances" | "augmented",
  query: Record<string, string>,
): string {
  return `/api/projects/${projectId}/equivalence/${what}/file/?${new URLSearchParams(query)}`;
}

export const overviewQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["equivalence", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/equivalence/", { ...ofProject(projectId), signal }),
  });

/** Others may group the same strings. */
export const evaluationQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ["equivalence", projectId, "evaluation", id],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/equivalence/{equivalence_id}/", {
        ...ofEvaluation(projectId, id),
        signal,
      }),
    refetchInterval: 10_000,
    gcTime: 0,
  });

export const stringsQuery = (projectId: string, id: string, part: Part) =>
  queryOptions({
    queryKey: ["equivalence", projectId, "strings", id, part],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/equivalence/{equivalence_id}/strings/", {
        ...ofEvaluation(projectId, id),
        signal,
      }),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  });

export const placesQuery = (projectId: string, id: string, part: Part, text: string, page: number) =>
  queryOptions({
    queryKey: ["equivalence", projectId, "places", id, part, text, page],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/equivalence/{equivalence_id}/places/", {
        params: { path: { project_id: projectId, equivalence_id: id }, query: { text, page } },
        signal,
      }),
    staleTime: 60_000,
  });

/** The strings that are alike depend on which are in no class yet: on the revision. */
export const suggestionsQuery = (projectId: string, id: string, revision: number, by: By) =>
  queryOptions({
    queryKey: ["equivalence", projectId, "suggestions", id, by, revision],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/equivalence/{equivalence_id}/suggestions/", {
        params: { path: { project_id: projectId, equivalence_id: id }, query: { by } },
        signal,
      }),
    staleTime: 60_000,
    placeholderData: (before, asked) => (asked?.queryKey[4] === by ? before : undefined),
    refetchInterval: ({ state }) =>
      state.data?.state === "waiting" || state.data?.state === "running" ? 2_000 : false,
  });

export const revisionsQuery = (projectId: string, id: string, revision: number, page: number) =>
  queryOptions({
    queryKey: ["equivalence", projectId, "revisions", id, revision, page],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/equivalence/{equivalence_id}/revisions/", {
        params: { path: { project_id: projectId, equivalence_id: id }, query: { page } },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
