import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, vi } from "vitest";
import type { ImportJob, ImportPreview, ImportReport } from "../features/import/api";
import { Component } from "../features/import/index";
import { renderScreen, serve } from "./admin";

export const ALIVE = {
  broker: true,
  models: { alive: true, seen_seconds_ago: 1 },
  light: { alive: true, seen_seconds_ago: 1 },
};

export const NOTHING: ImportReport = {
  ...{ documents: 0, utterances: 0, items: 0, kept: 0, sources: 0, marked_items: 0, marks: 0, rows: null },
  ...{ left_out: { too_short: 0, too_long: 0 }, left_out_utterances: { too_short: 0, too_long: 0 } },
  ...{ skipped_lines: 0, splitter: null, errors: [], n_errors: 0, delimiter: null, columns: [], mapping: [] },
  ...{ sheet: null, sheets: [] },
  ...{ existing: 0, skippable: false, seconds: 0.1, limits: null, sha256: "", encoding: null },
};

export const OPTIONS: ImportJob["options"] = {
  ...{ format: "auto", unit: "sentence", rows: null, min_tokens: null, max_tokens: null, splitter: "blank" },
  ...{ skip_bad_lines: false, encoding: "auto", delimiter: "auto", number_rows: false, skip_existing: false },
  sheet: "",
  columns: {},
  categories: {},
};

export const DONE: ImportJob = {
  id: "i1",
  filename: "pressconf.zip",
  format: "auto",
  state: "done",
  progress: { step: "done", fraction: 1, rows: 3152 },
  options: OPTIONS,
  report: {
    ...NOTHING,
    documents: 58,
    utterances: 3152,
    items: 24770,
    kept: 22018,
    left_out: { too_short: 201, too_long: 2551 },
    left_out_utterances: { too_short: 185, too_long: 113 },
    skipped_lines: 0,
    splitter: { name: "blank", version: "3.8.18", spacy: "3.8.18" },
    errors: [],
    n_errors: 0,
    seconds: 8.24,
  },
  created_at: "2025-11-27T09:00:00Z",
  finished_at: "2025-11-27T09:00:09Z",
  created_by: "Ada",
  undone_at: null,
  undone_by: null,
  keeps: "",
};

export const FAILED: ImportJob = {
  ...DONE,
  id: "i2",
  state: "failed",
  created_at: "2025-11-27T08:00:00Z",
  report: {
    ...NOTHING,
    n_errors: 240,
    errors: [
      {
        line: 812,
        file: "utterances.jsonl",
        field: "text",
        message: "Empty text: there is nothing to label.",
      },
      { line: null, file: "pressconf.zip", field: null, message: "The file is empty." },
    ],
  },
};

export const PREVIEW: ImportPreview = {
  filename: "pool.jsonl",
  format: "jsonl",
  whole: true,
  rows: 3,
  imports: true,
  estimated: false,
  in_project: 0,
  columns: [
    { name: "id", becomes: "id" },
    { name: "text", becomes: "text" },
    { name: "party", becomes: "meta" },
  ],
  labels: [],
  categories: [],
  first: [
    {
      ...{ line: 1, id: "a1", text: "Prices rose again.", is_cut: false, speaker: "Ada", document: "a1" },
      ...{ title: "", left_out: "", meta: { party: "left", old: true, seats: -3, tags: ["x", 2] } },
    },
  ],
  report: {
    ...NOTHING,
    ...{ documents: 2, utterances: 3, items: 1234, kept: 1234 },
    encoding: { name: "utf-8", how: "seen" },
    mapping: [
      { field: "id", column: "id", how: "named" },
      { field: "text", column: "text", how: "named" },
    ],
  },
};

/** The browser's upload, driven by the test; what is asked for a preview is answered at once. */
export class FakeUpload extends EventTarget {
  static last: FakeUpload;
  static made = 0;
  static preview: [status: number, body: unknown] = [200, PREVIEW];
  static previewed: FormData[] = [];
  isPreview = false;
  upload = new EventTarget();
  status = 0;
  responseText = "";
  headers: Record<string, string> = {};
  sent: FormData | null = null;
  open = vi.fn((_method: string, path: string) => {
    this.isPreview = path.endsWith("/preview/");
    if (this.isPreview) return;
    FakeUpload.last = this;
    FakeUpload.made += 1;
  });
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(form: FormData) {
    this.sent = form;
    if (!this.isPreview) return;
    FakeUpload.previewed.push(form);
    void this.answer(...FakeUpload.preview);
  }
  abort() {
    this.dispatchEvent(new Event("abort"));
  }
  async progress(loaded: number, total: number) {
    await act(async () => {
      this.upload.dispatchEvent(new ProgressEvent("progress", { loaded, total }));
    });
  }
  async answer(status: number, body: unknown) {
    await act(async () => {
      this.status = status;
      this.responseText = typeof body === "string" ? body : JSON.stringify(body);
      this.dispatchEvent(new Event("load"));
    });
  }
}

export function open(
  jobs: unknown,
  workers: unknown = ALIVE,
  project = {},
  codebooks: unknown = [],
  session: unknown = { csrf: true },
) {
  const asked = serve({
    "GET /api/projects/p1/codebooks/": codebooks,
    "GET /api/projects/p1/imports/": jobs,
    "GET /api/projects/p1/workers/": workers,
    "GET /api/session/": session,
  });
  return { asked, ...renderScreen(Component, project) };
}

const FILE = new File(["{}\n"], "pool.jsonl");

export async function pick(file = FILE) {
  await userEvent.upload(await screen.findByLabelText(/Choose (a|another) file/), file);
}

export async function choose() {
  await pick();
  await userEvent.click(await screen.findByRole("button", { name: "Import 1,234 items" }));
  await waitFor(() => expect(FakeUpload.made).toBe(1));
}
