import { get, ofProject, post, remove } from "./client";
import type { Body } from "./contract";
import type { AnnotationBody, AnnotationReceipt, Assignment, LabelWindow, Submission } from "./types";
import { heldList, windowOf } from "./windows";

export interface InviteAnswer {
  token: string;
  username?: string;
  display_name?: string;
  password?: string;
}

export type ProjectBody = Body<"/api/projects/", "post">;

/** Items loaded ahead: as many as a train ride without a network may take. */
export const AHEAD = 40;

/** The person's side of the API; an admin screen adds its own calls beside its components. */
export const api = {
  me: (signal?: AbortSignal) => get("/api/me/", { signal }),
  signIn: (username: string, password: string) => post("/api/session/", { body: { username, password } }),
  signOut: () => remove("/api/session/"),
  /** Whose link it is; 409 for one that lets nobody in any more. */
  invite: (token: string, signal?: AbortSignal) =>
    get("/api/invites/{token}/", { params: { path: { token } }, signal }),
  acceptInvite: (body: InviteAnswer) => post("/api/invites/accept/", { body }),

  projects: (signal?: AbortSignal) => get("/api/projects/", { signal }),
  createProject: (body: ProjectBody) => post("/api/projects/", { body }),
  project: (id: string, signal?: AbortSignal) =>
    get("/api/projects/{project_id}/", { ...ofProject(id), signal }),
  workers: (id: string, signal?: AbortSignal) =>
    get("/api/projects/{project_id}/workers/", { ...ofProject(id), signal }),

  next: async (projectId: string, signal?: AbortSignal): Promise<LabelWindow> =>
    windowOf(
      await get("/api/projects/{project_id}/next/", {
        params: { path: { project_id: projectId }, query: { ahead: AHEAD } },
        signal,
      }),
    ),
  done: (projectId: string, signal?: AbortSignal) =>
    get("/api/projects/{project_id}/assignments/", {
      params: { path: { project_id: projectId }, query: { mine: "done" } },
      signal,
    }),
  assignment: (id: string, signal?: AbortSignal) =>
    get("/api/assignments/{assignment_id}/", {
      params: { path: { assignment_id: id } },
      signal,
    }),
  /** The texts of the item's source documents. */
  sources: (assignmentId: string, signal?: AbortSignal) =>
    get("/api/assignments/{assignment_id}/sources/", {
      params: { path: { assignment_id: assignmentId } },
      signal,
    }),
  /** `known` are assignments that the page has: the answer does not bring them again. */
  annotate: async (
    assignment: Assignment,
    body: AnnotationBody,
    known: readonly Assignment[] = [],
  ): Promise<AnnotationReceipt> => {
    const receipt = await post("/api/assignments/{assignment_id}/annotations/", {
      params: { path: { assignment_id: assignment.id }, query: { held: heldList(known) } },
      // The server takes it without a reason, of which the schema says nothing.
      body: body as Submission,
    });
    return { ...receipt, refill: windowOf(receipt.refill, [assignment.codebook]) };
  },
};
