import { queryOptions } from "@tanstack/react-query";
import { get, post } from "./client";
import type { Answer } from "./contract";

export type Notice = Answer<"/api/notices/", "get">["notices"][number];

/** What waits changes while other people work; a hidden page does not ask. */
const LOOK_AGAIN_MS = 60_000;

export const noticesQuery = queryOptions({
  queryKey: ["notices"],
  queryFn: async ({ signal }) => (await get("/api/notices/", { signal })).notices,
  refetchInterval: LOOK_AGAIN_MS,
  meta: { beside: true },
});

export const markRead = (notices: readonly Notice[]) =>
  post("/api/notices/read/", {
    body: { read: notices.map(({ project, key, level }) => ({ project, key, level })) },
  });
