import { ApiError } from "./errors";
import { csrfCookie, request } from "./http";
import { noAnswer } from "./noAnswer";

export interface UploadOptions {
  signal?: AbortSignal;
  /** Bytes sent so far and in all. */
  onProgress?: (sent: number, total: number) => void;
}

/**
 * POSTs a form with files. fetch tells nothing of an upload's progress, XMLHttpRequest does.
 * Throws ApiError as `request` does; an abort rejects with AbortError.
 */
export async function upload<T>(path: string, form: FormData, options: UploadOptions = {}): Promise<T> {
  // A token that lapsed would be refused only after the whole file was sent.
  await request("GET", "/api/session/", { signal: options.signal });
  return send<T>(path, form, options);
}

function send<T>(path: string, form: FormData, { signal, onProgress }: UploadOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open("POST", path);
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
