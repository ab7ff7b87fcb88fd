import { queryOptions } from "@tanstack/react-query";
import { request } from "../../api/http";

export interface Release {
  id: string;
  number: number;
  state: "queued" | "running" | "done" | "failed";
  notes: string;
  progress: { step?: string; fraction?: number };
  failure: string;
  content_hash: string;
  counts: Record<string, number>;
  size: number | null;
  sha256: string;
  filename: string;
  created_by: string | null;
  created_at: string;
  finished_at: string | null;
}

export interface ReleaseFile {
  path: string;
  bytes: number;
  sha256: string;
  lines: number | null;
}

export interface ReleaseDetail extends Release {
  files: ReleaseFile[];
  card: string;
}

export interface Releases {
  releases: Release[];
  unfinished: string[];
}

export const releaseMake = (projectId: string, notes: string) =>
  request<Release>("POST", `/api/projects/${projectId}/releases/`, { body: { notes } });

export const releaseFile = (id: string) => `/api/releases/${id}/file/`;

export function isMaking({ state }: Pick<Release, "state">): boolean {
  return state === "queued" || state === "running";
}

/** Newest first; asked each second while one is made. */
export const releasesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["releases", projectId],
    queryFn: ({ signal }) => request<Releases>("GET", `/api/projects/${projectId}/releases/`, { signal }),
    refetchInterval: (query) => (query.state.data?.releases.some(isMaking) ? 1_000 : false),
  });

/** A done release never changes: its files and card are asked once. */
export const releaseQuery = (id: string) =>
  queryOptions({
    queryKey: ["release", id],
    queryFn: ({ signal }) => request<ReleaseDetail>("GET", `/api/releases/${id}/`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const cardQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["release-card", projectId],
    queryFn: ({ signal }) =>
      request<{ markdown: string }>("GET", `/api/projects/${projectId}/releases/card/`, { signal }),
  });
