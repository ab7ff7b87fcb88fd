import { queryOptions } from "@tanstack/react-query";
import { get, ofProject, post } from "./client";
import type { Answer } from "./contract";
import type { CodebookDefinition } from "./types";

type Version = Answer<"/api/projects/{project_id}/codebooks/", "get">[number];
/** `compatible` is null where nothing came before it, or it is not published yet. */
export type CodebookVersion = Omit<Version, "definition"> & { definition: CodebookDefinition };

export const codebookApi = {
  list: (projectId: string, signal?: AbortSignal) =>
    get("/api/projects/{project_id}/codebooks/", { ...ofProject(projectId), signal }) as Promise<
      CodebookVersion[]
    >,
  save: (projectId: string, definition: unknown) =>
    post("/api/projects/{project_id}/codebooks/", {
      ...ofProject(projectId),
      body: { definition },
    }) as Promise<CodebookVersion>,
  publish: (id: string) =>
    post("/api/codebooks/{codebook_id}/publish/", {
      params: { path: { codebook_id: id } },
    }) as Promise<CodebookVersion>,
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
