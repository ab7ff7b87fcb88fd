import { queryOptions } from "@tanstack/react-query";
import { get, ofProject, patch, post } from "./client";
import type { Answer, Body } from "./contract";
import type { Role } from "./types";

export type Member = Answer<"/api/projects/{project_id}/members/", "get">[number];
export type InviteBody = Body<"/api/projects/{project_id}/invites/", "post">;
export type Invite = Answer<"/api/projects/{project_id}/invites/", "get">[number];

export const membersApi = {
  list: (projectId: string, signal?: AbortSignal) =>
    get("/api/projects/{project_id}/members/", { ...ofProject(projectId), signal }),
  setRole: (id: string, role: Role) =>
    patch("/api/members/{member_id}/", { params: { path: { member_id: id } }, body: { role } }),
  deactivate: (id: string) =>
    post("/api/members/{member_id}/deactivate/", { params: { path: { member_id: id } } }),
  passwordLink: (id: string) =>
    post("/api/members/{member_id}/password-link/", { params: { path: { member_id: id } } }),
  activate: (id: string) =>
    post("/api/members/{member_id}/activate/", { params: { path: { member_id: id } } }),
  invites: (projectId: string, signal?: AbortSignal) =>
    get("/api/projects/{project_id}/invites/", { ...ofProject(projectId), signal }),
  invite: (projectId: string, body: InviteBody) =>
    post("/api/projects/{project_id}/invites/", { ...ofProject(projectId), body }),
  revoke: (id: string) => post("/api/invites/{invite_id}/revoke/", { params: { path: { invite_id: id } } }),
};

export const membersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["members", projectId],
    queryFn: ({ signal }) => membersApi.list(projectId, signal),
    refetchInterval: 10_000,
  });

export const invitesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["invites", projectId],
    queryFn: ({ signal }) => membersApi.invites(projectId, signal),
  });
