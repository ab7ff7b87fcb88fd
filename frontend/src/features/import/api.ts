import { queryOptions } from "@tanstack/react-query";
import { get, ofProject, post } from "../../api/client";
import type { Answer } from "../../api/contract";
import { projectQuery } from "../../api/queries";
import { type UploadOptions, upload } from "../../api/upload";

export type ImportJob = Answer<"/api/projects/{project_id}/imports/", "get">[number];
/** What an import would bring. */
export type ImportPreview = Answer<"/api/projects/{project_id}/imports/preview/", "post">;
export type ImportReport = ImportPreview["report"];
export type ImportError = ImportReport["errors"][number];
export type LeftOut = ImportReport["left_out"];
export type RowOrder = NonNullable<ImportReport["order"]>;
export type Unit = ImportJob["options"]["unit"];
export type Format = ImportJob["format"];
export type Delimiter = Exclude<ImportJob["options"]["delimiter"], "auto">;
export type PreviewItem = ImportPreview["first"][number];
export type FoundColumn = ImportPreview["columns"][number];
/** What a column becomes: a field of the row, what JSON alone can hold, or what is kept beside the text. */
export type Becomes = FoundColumn["becomes"];
export type ColumnUse = ImportReport["mapping"][number];
/** A field of a row that a column can be chosen for. */
export type RowField = ColumnUse["field"];

export function isRunning(job: Pick<ImportJob, "state">): boolean {
  return job.state === "queued" || job.state === "running";
}

export function importSend(projectId: string, form: FormData, options: UploadOptions): Promise<ImportJob> {
  return upload<ImportJob>(`/api/projects/${projectId}/imports/`, form, options);
}

export const importUndo = (id: string) =>
  post("/api/imports/{import_id}/undo/", { params: { path: { import_id: id } } });

// A preview reads no more of a text than this; of a zip archive nothing can be read without its end.
const PREVIEW_BYTES = 8 * 1024 ** 2;

/** Nothing is stored by it. Of a large text only the beginning is sent. */
export async function importPreview(
  projectId: string,
  file: File,
  formOf: (file: File) => FormData,
  options: UploadOptions,
): Promise<ImportPreview> {
  const isPart = file.size > PREVIEW_BYTES && !(await isReadWhole(file));
  const form = formOf(isPart ? new File([file.slice(0, PREVIEW_BYTES)], file.name) : file);
  if (isPart) form.set("is_cut", "true");
  return upload<ImportPreview>(`/api/projects/${projectId}/imports/preview/`, form, {
    ...options,
    wholeSize: file.size,
  });
}

/** Archives, workbooks and Parquet files have their table of contents at the end. */
async function isReadWhole(file: File): Promise<boolean> {
  const start = await file.slice(0, 4).text();
  return start.startsWith("PK") || start === "PAR1";
}

/** Newest first; asked each second while one is at work. An end is shown together with what the project has then. */
export const importsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["imports", projectId],
    queryFn: async ({ signal, client, queryKey }) => {
      const jobs = await get("/api/projects/{project_id}/imports/", { ...ofProject(projectId), signal });
      const before = client.getQueryData<ImportJob[]>(queryKey) ?? [];
      const running = new Set(before.filter(isRunning).map(({ id }) => id));
      if (jobs.some((job) => running.has(job.id) && !isRunning(job)))
        await client.refetchQueries({ queryKey: projectQuery(projectId).queryKey });
      return jobs.sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
    },
    refetchInterval: (query) => (query.state.data?.some(isRunning) ? 1_000 : false),
  });
