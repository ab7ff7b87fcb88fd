import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "./contract";
import { request } from "./http";
import type { CodebookDefinition } from "./types";

type Version = Answer<"/api/projects/{project_id}/codebooks/", "get">[number];
/** `compatible` is null where nothing came before it, or it is not published yet. */
export type CodebookVersion = Omit<Version, "definition"> & { definition: CodebookDefinition };

export const codebookApi = {
  list: (projectId: string, signal?: AbortSignal) =>
    request<CodebookVersion[]>("GET", `/api/projects/${projectId}/codebooks/`, { signal }),
  save: (projectId: string, definition: unknown) =>
    request<CodebookVersion>("POST", `/api/projects/${projectId}/codebooks/`, { body: { definition } }),
  publish: (id: string) => request<CodebookVersion>("POST", `/api/codebooks/${id}/publish/`),
};

export const codebooksQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["codebooks", projectId],
    queryFn: ({ signal }) => codebookApi.list(projectId, signal),
  });

/** The version that new batches take: the one published last. */
export function publishedCodebook(versions: readonly CodebookVersion[]): CodebookVersion | undefined {
  return versions
    .filter((version) => version.published_at !== null)
    .sort((a, b) => Date.parse(b.published_at ?? "") - Date.parse(a.published_at ?? ""))[0];
}
