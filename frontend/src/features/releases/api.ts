import { queryOptions } from "@tanstack/react-query";
import { get, ofProject, post } from "../../api/client";
import type { Answer } from "../../api/contract";

export type Releases = Answer<"/api/projects/{project_id}/releases/", "get">;
export type Release = Releases["releases"][number];
export type Unfinished = Releases["unfinished"][number];
export type ReleaseDetail = Answer<"/api/releases/{release_id}/", "get">;

export interface ReleaseBody {
  notes: string;
  /** Numbers of the evaluations that go into it. */
  evaluations: number[];
  /** Ids of the text sets that go into it. */
  text_sets: string[];
}

export const releaseMake = (projectId: string, body: ReleaseBody) =>
  post("/api/projects/{project_id}/releases/", { ...ofProject(projectId), body });

export const releaseFile = (id: string) => `/api/releases/${id}/file/`;

export function isMaking({ state }: Pick<Release, "state">): boolean {
  return state === "queued" || state === "running";
}

/** Newest first, with what is unfinished. */
export const releasesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["releases", projectId],
    queryFn: ({ signal }) => get("/api/projects/{project_id}/releases/", { ...ofProject(projectId), signal }),
  });

/** One alone, each second until it is made: the list counts what is unfinished too. */
export const makingQuery = (id: string) =>
  queryOptions({
    queryKey: ["release-making", id],
    queryFn: ({ signal }) =>
      get("/api/releases/{release_id}/", { params: { path: { release_id: id } }, signal }),
    refetchInterval: ({ state }) => (state.data && !isMaking(state.data) ? false : 1_000),
  });

/** A done release never changes: its files and card are asked once. */
export const releaseQuery = (id: string) =>
  queryOptions({
    queryKey: ["release", id],
    queryFn: ({ signal }) =>
      get("/api/releases/{release_id}/", { params: { path: { release_id: id } }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const cardQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["release-card", projectId],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/releases/card/", { ...ofProject(projectId), signal }),
  });
