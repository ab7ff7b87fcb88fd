import { at } from "../browser/base";
import { sizeWords } from "../text/format";
import { csrfCookie, get } from "./client";
import { ApiError } from "./errors";
import { noAnswer } from "./noAnswer";

export interface UploadOptions {
  signal?: AbortSignal;
  /** Bytes sent so far and in all. */
  onProgress?: (sent: number, total: number) => void;
  /** Bytes of the whole file, where the form holds only its beginning. */
  wholeSize?: number;
}

/**
 * POSTs a form with files. fetch tells nothing of an upload's progress, XMLHttpRequest does.
 * Throws ApiError as `request` does; an abort rejects with AbortError.
 */
export async function upload<T>(path: string, form: FormData, options: UploadOptions = {}): Promise<T> {
  // A token that lapsed, or a file over the limit, would be refused only after the whole file was sent.
  const session = await get("/api/session/", { signal: options.signal });
  refuseLarger(form, session.upload_max_bytes, options.wholeSize);
  return send<T>(path, form, options);
}

/** As the server refuses it, before anything is sent. */
function refuseLarger(form: FormData, most: number | undefined, wholeSize = 0) {
  for (const [field, file] of form.entries()) {
    if (!(file instanceof File) || most === undefined) continue;
    const size = Math.max(file.size, wholeSize);
    if (size <= most) continue;
    const detail = `${file.name} has ${sizeWords(size)}; ${sizeWords(most)} are the most that is taken here. Split it, or use manage.py import_corpus on the server.`;
    throw new ApiError(413, { detail, errors: { [field]: [detail] } });
  }
}

function send<T>(path: string, form: FormData, { signal, onProgress }: UploadOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open("POST", at(path));
    call.setRequestHeader("Accept", "application/json");
    call.setRequestHeader("X-CSRFToken", csrfCookie() ?? "");
    call.upload.addEventListener("progress", ({ loaded, total }) => onProgress?.(loaded, total));
    call.addEventListener("load", () => settle(call, resolve as (body: unknown) => void, reject));
    call.addEventListener("error", () => void noAnswer(form).then(reject));
    call.addEventListener("abort", () => reject(new DOMException("The upload was stopped.", "AbortError")));
    signal?.addEventListener("abort", () => call.abort());
    call.send(form);
  });
}

function settle(call: XMLHttpRequest, resolve: (body: unknown) => void, reject: (error: unknown) => void) {
  const body = parsed(call.responseText);
  if (call.status >= 200 && call.status < 300) resolve(body);
  else reject(new ApiError(call.status, body));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's own page, such as "413 Request Entity Too Large".
    return null;
  }
}

/** Endings of the files that are read as labelled rows, for a file chooser. */
export const ROW_FILES = ".jsonl,.ndjson,.json,.csv,.tsv,.txt,.gz";
