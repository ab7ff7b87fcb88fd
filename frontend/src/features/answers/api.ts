import { infiniteQueryOptions } from "@tanstack/react-query";
import { get } from "../../api/client";

/** The person's own done items of all batches that hold the words, page by page. */
export const ownSearchQuery = (projectId: string, q: string) =>
  infiniteQueryOptions({
    queryKey: ["own-answers", projectId, q],
    queryFn: ({ pageParam, signal }) =>
      get("/api/projects/{project_id}/done/", {
        params: { path: { project_id: projectId }, query: { q, after: pageParam } },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ after }) => after ?? undefined,
  });
