import { queryOptions } from "@tanstack/react-query";
import { request } from "./http";
import type { CodebookDefinition } from "./types";

export interface CodebookVersion {
  id: string;
  version: number;
  state: "draft" | "published";
  definition: CodebookDefinition;
  /** null: nothing came before it, or it is not published yet. */
  compatible: boolean | null;
  created_at: string;
  published_at: string | null;
}

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
