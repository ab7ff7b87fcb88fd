import { request } from "./http";
import type {
  AnnotationBody,
  AnnotationReceipt,
  Assignment,
  DoneList,
  InviteShown,
  LabelWindow,
  Me,
  Project,
  SourceText,
  Workers,
} from "./types";

export interface InviteAnswer {
  token: string;
  username?: string;
  display_name?: string;
  password?: string;
}

export interface ProjectBody {
  name: string;
  description?: string;
  annotation_budget?: number;
  time_zone?: string;
  codebook?: "five-stage" | "spans" | "none";
}

/** Items loaded ahead: as many as a train ride without a network may take. */
export const AHEAD = 40;

/** The person's side of the API; an admin screen adds its own calls beside its components. */
export const api = {
  me: (signal?: AbortSignal) => request<Me>("GET", "/api/me/", { signal }),
  signIn: (username: string, password: string) =>
    request<Me>("POST", "/api/session/", { body: { username, password } }),
  signOut: () => request<null>("DELETE", "/api/session/"),
  /** Whose link it is; 409 for one that lets nobody in any more. */
  invite: (token: string, signal?: AbortSignal) =>
    request<InviteShown>("GET", `/api/invites/${encodeURIComponent(token)}/`, { signal }),
  acceptInvite: (body: InviteAnswer) => request<Me>("POST", "/api/invites/accept/", { body }),

  projects: (signal?: AbortSignal) => request<Project[]>("GET", "/api/projects/", { signal }),
  createProject: (body: ProjectBody) => request<Project>("POST", "/api/projects/", { body }),
  project: (id: string, signal?: AbortSignal) => request<Project>("GET", `/api/projects/${id}/`, { signal }),
  workers: (id: string, signal?: AbortSignal) =>
    request<Workers>("GET", `/api/projects/${id}/workers/`, { signal }),

  next: (projectId: string, signal?: AbortSignal) =>
    request<LabelWindow>("GET", `/api/projects/${projectId}/next/`, { query: { ahead: AHEAD }, signal }),
  done: (projectId: string, signal?: AbortSignal) =>
    request<DoneList>("GET", `/api/projects/${projectId}/assignments/`, {
      query: { mine: "done" },
      signal,
    }),
  assignment: (id: string, signal?: AbortSignal) =>
    request<Assignment>("GET", `/api/assignments/${id}/`, { signal }),
  /** The texts of the item's source documents. */
  sources: (assignmentId: string, signal?: AbortSignal) =>
    request<{ sources: SourceText[] }>("GET", `/api/assignments/${assignmentId}/sources/`, { signal }),
  annotate: (assignmentId: string, body: AnnotationBody, signal?: AbortSignal) =>
    request<AnnotationReceipt>("POST", `/api/assignments/${assignmentId}/annotations/`, { body, signal }),
};
