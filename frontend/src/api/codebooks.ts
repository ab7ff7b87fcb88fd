import { queryOptions } from "@tanstack/react-query";
import { get, ofProject, post, put } from "./client";
import type { Answer, Body } from "./contract";
import type { LabelDefinition, ScaleStage, StageDefinition } from "./types";

/** `compatible` is null where nothing came before it, or it is not published yet. */
export type CodebookVersion = Answer<"/api/projects/{project_id}/codebooks/", "get">[number];

/** One difference from the version published before, as the server judges it. */
export type CodebookChange = NonNullable<CodebookVersion["changes"]>[number];

/** The text that a project's admins write together. */
export type CodebookDraft = Answer<"/api/projects/{project_id}/codebook-draft/", "get">;

export const codebookApi = {
  list: (projectId: string, signal?: AbortSignal) =>
    get("/api/projects/{project_id}/codebooks/", { ...ofProject(projectId), signal }),
  /** `draftRevision` is that of the shared draft which becomes this version. */
  save: (projectId: string, definition: unknown, draftRevision: number) =>
    post("/api/projects/{project_id}/codebooks/", {
      ...ofProject(projectId),
      body: { definition, draft_revision: draftRevision },
    }),
  keepDraft: (projectId: string, body: Body<"/api/projects/{project_id}/codebook-draft/", "put">) =>
    put("/api/projects/{project_id}/codebook-draft/", { ...ofProject(projectId), body }),
  discardDraft: (projectId: string, base_revision: number) =>
    post("/api/projects/{project_id}/codebook-draft/", { ...ofProject(projectId), body: { base_revision } }),
  publish: (id: string) =>
    post("/api/codebooks/{codebook_id}/publish/", {
      params: { path: { codebook_id: id } },
    }),
};

export const codebooksQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["codebooks", projectId],
    queryFn: ({ signal }) => codebookApi.list(projectId, signal),
  });

export const draftQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["codebooks", projectId, "draft"],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/codebook-draft/", { ...ofProject(projectId), signal }),
  });

/** What differs from one version of the project to another, by their numbers. Versions never change. */
export const changesQuery = (projectId: string, from: number, to: number) =>
  queryOptions({
    queryKey: ["codebooks", projectId, "changes", from, to],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/codebooks/changes/", {
        params: { path: { project_id: projectId }, query: { old: from, new: to } },
        signal,
      }),
  });

/** Codebooks to start from; they come with the server's version. */
export const templatesQuery = queryOptions({
  queryKey: ["codebook-templates"],
  queryFn: ({ signal }) => get("/api/codebook-templates/", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export type CodebookTemplate = Answer<"/api/codebook-templates/", "get">[number];

/** The answers that a stage offers: its labels, or the points of its scale. None where people write the answer. */
export function labelsOf(stage: StageDefinition | undefined): LabelDefinition[] {
  if (!stage) return [];
  if ("labels" in stage) return stage.labels;
  return stage.type === "scale" ? pointsOf(stage) : [];
}

const MOST_POINTS = 11;

/** A point has the key of its digit. A definition that somebody is typing may name any two ends. */
function pointsOf({ low = 1, high, anchors = [] }: ScaleStage): LabelDefinition[] {
  const length = Math.max(0, Math.min(MOST_POINTS, high - low + 1)) || 0;
  return Array.from({ length }, (_, place) => {
    const point = low + place;
    const anchor = anchors.find((each) => each.point === point);
    return {
      key: String(point),
      name: anchor ? `${point} (${anchor.name})` : String(point),
      help: "",
      examples: [],
      ...(point >= 0 && point <= 9 ? { shortcut: String(point) } : {}),
    };
  });
}

/** Published versions, the one published last first. */
function publishedCodebooks(versions: readonly CodebookVersion[]): CodebookVersion[] {
  return versions
    .filter((version) => version.published_at !== null)
    .sort((a, b) => Date.parse(b.published_at ?? "") - Date.parse(a.published_at ?? ""));
}

/** The version that new batches take: the one published last. */
export function publishedCodebook(versions: readonly CodebookVersion[]): CodebookVersion | undefined {
  return publishedCodebooks(versions)[0];
}

/** What was published after the version of this number, the newest first; everything where it is none of them. */
export function publishedAfter(versions: readonly CodebookVersion[], number: number): CodebookVersion[] {
  const published = publishedCodebooks(versions);
  const at = published.findIndex(({ version }) => version === number);
  return at < 0 ? published : published.slice(0, at);
}
