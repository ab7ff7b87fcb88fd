import { queryOptions } from "@tanstack/react-query";
import { get } from "./client";
import { api } from "./endpoints";
import { isApiError } from "./errors";
import { offline, rememberStanding, withStanding } from "./offline";
import type { Me } from "./types";

export const meQuery = queryOptions({
  queryKey: ["me"],
  /** null: nobody is signed in. */
  ...offline<Me | null>(
    "me",
    async (signal) => {
      try {
        return await api.me(signal);
      } catch (error) {
        if (isApiError(error, 401)) return null;
        throw error;
      }
    },
    { owner: (me) => me?.id ?? null },
  ),
  staleTime: 60_000,
});

/** What this server can do; it does not change while a page is open. */
export const serverQuery = queryOptions({
  queryKey: ["server"],
  queryFn: ({ signal }) => get("/api/session/", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  ...offline("projects", (signal) => api.projects(signal)),
});

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ["project", id],
    ...offline(`project.${id}`, (signal) => api.project(id, signal)),
    staleTime: 10_000,
  });

/** Polled: a stopped worker must show within seconds. */
export const workersQuery = (id: string) =>
  queryOptions({
    queryKey: ["workers", id],
    queryFn: ({ signal }) => api.workers(id, signal),
    refetchInterval: 5_000,
  });

/** The window of loaded items; the answers to submits bring newer ones (outbox). */
export const nextQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["next", projectId],
    ...offline(
      `next.${projectId}`,
      async (signal) => {
        const askedAt = Date.now();
        const window = await api.next(projectId, signal);
        await rememberStanding(projectId, window, askedAt);
        return window;
      },
      { adapt: (window) => withStanding(projectId, window) },
    ),
    staleTime: 30_000,
    gcTime: 0,
  });

/** Asked once a visit; what is submitted later is known on the page. */
export const doneQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["done", projectId],
    ...offline(`done.${projectId}`, (signal) => api.done(projectId, signal)),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** Never shown from a cache: the answers to begin from are the server's current ones. */
export const assignmentQuery = (id: string) =>
  queryOptions({
    queryKey: ["assignment", id],
    queryFn: ({ signal }) => api.assignment(id, signal),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

/** Texts do not change: asked once for an item. */
export const sourcesQuery = (assignmentId: string) =>
  queryOptions({
    queryKey: ["sources", assignmentId],
    ...offline(
      `sources.${assignmentId}`,
      async (signal) => (await api.sources(assignmentId, signal)).sources,
    ),
    staleTime: Number.POSITIVE_INFINITY,
  });
