import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "./contract";
import { request } from "./http";
import type { Role } from "./types";

export type Member = Answer<"/api/projects/{project_id}/members/", "get">[number];
export type Invite = Answer<"/api/projects/{project_id}/invites/", "get">[number];

export const membersApi = {
  list: (projectId: string, signal?: AbortSignal) =>
    request<Member[]>("GET", `/api/projects/${projectId}/members/`, { signal }),
  setRole: (id: string, role: Role) => request<Member>("PATCH", `/api/members/${id}/`, { body: { role } }),
  deactivate: (id: string) => request<Member>("POST", `/api/members/${id}/deactivate/`),
  passwordLink: (id: string) =>
    request<{ url: string; expires_at: string }>("POST", `/api/members/${id}/password-link/`),
  activate: (id: string) => request<Member>("POST", `/api/members/${id}/activate/`),
  invites: (projectId: string, signal?: AbortSignal) =>
    request<Invite[]>("GET", `/api/projects/${projectId}/invites/`, { signal }),
  invite: (projectId: string, role: Role, note: string) =>
    request<Invite>("POST", `/api/projects/${projectId}/invites/`, { body: { role, note } }),
  revoke: (id: string) => request<Invite>("POST", `/api/invites/${id}/revoke/`),
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
