import { at, ownName } from "../browser/base";
import { ApiError } from "./errors";
import { noAnswer } from "./noAnswer";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

interface RequestOptions {
  /** Sent as JSON; a FormData is sent as it is. */
  body?: unknown;
  query?: Record<string, string | number | undefined>;
  signal?: AbortSignal;
}

/**
 * One request to the API: session cookie, CSRF token, JSON in and out.
 * Throws ApiError for every answer that is not 2xx and for no answer at all; an abort stays an AbortError.
 */
export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await sendWithCsrf(method, path, options);
  const body = await bodyOf(response);
  if (!response.ok) throw new ApiError(response.status, body);
  return body as T;
}

async function sendWithCsrf(method: string, path: string, options: RequestOptions): Promise<Response> {
  if (SAFE.has(method)) return send(method, path, options, null);
  const response = await send(method, path, options, csrfCookie() ?? (await freshCsrf()));
  if (response.status !== 403 || !(await isCsrfRefusal(response))) return response;
  // The token was rotated by a sign-in in another tab, or the cookie lapsed.
  return send(method, path, options, await freshCsrf());
}

async function send(
  method: string,
  path: string,
  options: RequestOptions,
  csrf: string | null,
): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (csrf) headers["X-CSRFToken"] = csrf;
  let body: BodyInit | undefined;
  if (options.body instanceof FormData) body = options.body;
  else if (options.body !== undefined) {
    headers["Content-Type"] = "application/json";
    body = JSON.stringify(options.body);
  }
  try {
    return await fetch(at(withQuery(path, options.query)), {
      method,
      headers,
      body,
      signal: options.signal,
      credentials: "same-origin",
    });
  } catch (error) {
    // fetch rejects with TypeError when no answer came; anything else is not ours to explain.
    if (error instanceof TypeError) throw await noAnswer(body);
    throw error;
  }
}

async function freshCsrf(): Promise<string | null> {
  const response = await send("GET", "/api/session/", {}, null);
  if (!response.ok) throw new ApiError(response.status, await bodyOf(response));
  return csrfCookie();
}

export function csrfCookie(cookies: string = document.cookie): string | null {
  const name = `${ownName("csrftoken")}=`;
  const found = cookies.split("; ").find((part) => part.startsWith(name));
  return found ? decodeURIComponent(found.slice(name.length)) : null;
}

async function isCsrfRefusal(response: Response): Promise<boolean> {
  return /csrf/i.test(await response.clone().text());
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!text) return null;
  if (!response.headers.get("content-type")?.includes("json")) return text;
  try {
    return JSON.parse(text);
  } catch {
    // A proxy cut the answer short: as good as none.
    throw new ApiError(0, null);
  }
}

function withQuery(path: string, query: RequestOptions["query"]): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return path;
  return `${path}?${new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]))}`;
}
