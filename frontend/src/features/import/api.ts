import { queryOptions } from "@tanstack/react-query";
import { request } from "../../api/http";
import { type UploadOptions, upload } from "../../api/upload";

export type Unit = "sentence" | "utterance" | "document";
export type Format = "auto" | "convokit" | "jsonl" | "csv";

export interface ImportError {
  /** null: the whole file is meant. */
  line: number | null;
  file: string;
  field: string | null;
  message: string;
}

export interface LeftOut {
  too_short: number;
  too_long: number;
}

export interface ImportReport {
  documents: number;
  utterances: number;
  items: number;
  kept: number;
  /** Items, and the rows that they come from. */
  left_out: LeftOut;
  left_out_utterances: LeftOut;
  /** Source documents that rows name, items that came with spans, and these spans. */
  sources: number;
  marked_items: number;
  marks: number;
  skipped_lines: number;
  /** null: the rows came as items, nothing was split. */
  splitter: { name: string; version: string } | null;
  errors: ImportError[];
  n_errors: number;
  seconds: number;
}

export interface ImportJob {
  id: string;
  filename: string;
  format: Format;
  state: "queued" | "running" | "done" | "failed";
  progress: { step?: string; fraction?: number; rows?: number };
  options: Record<string, unknown>;
  report: Partial<ImportReport> | null;
  created_at: string;
  finished_at: string | null;
}

export function isRunning(job: Pick<ImportJob, "state">): boolean {
  return job.state === "queued" || job.state === "running";
}

export function importSend(projectId: string, form: FormData, options: UploadOptions): Promise<ImportJob> {
  return upload<ImportJob>(`/api/projects/${projectId}/imports/`, form, options);
}

/** Newest first; asked each second while one is at work. */
export const importsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["imports", projectId],
    queryFn: async ({ signal }) => {
      const jobs = await request<ImportJob[]>("GET", `/api/projects/${projectId}/imports/`, { signal });
      return jobs.sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
    },
    refetchInterval: (query) => (query.state.data?.some(isRunning) ? 1_000 : false),
  });
