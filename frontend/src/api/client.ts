import createClient from "openapi-fetch";
import { BASE, ownName } from "../browser/base";
import { ApiError } from "./errors";
import type { paths } from "./schema";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** The API as its schema has it, with the session's cookie and the CSRF token. */
const client = createClient<paths>({
  // Where there is no page, a test answers whatever is asked.
  baseUrl: new URL(BASE, globalThis.location?.href ?? "http://localhost").href,
  credentials: "same-origin",
  headers: { Accept: "application/json" },
  fetch: sendWithCsrf,
});

client.use({
  onResponse: async ({ response }) => {
    if (!response.ok) throw new ApiError(response.status, await bodyOf(response));
  },
  // fetch rejects with TypeError when no answer came; anything else is not ours to explain.
  onError: ({ error }) => (error instanceof TypeError ? new ApiError(0, null) : undefined),
});

/**
 * Gives what the server answered to a call.
 * Throws ApiError for every answer that is not 2xx and for no answer at all; an abort stays an AbortError.
 */
function answered<Asked extends unknown[], Found extends { data?: unknown }>(
  call: (...asked: Asked) => Promise<Found>,
) {
  return async (...asked: Asked): Promise<NonNullable<Found["data"]>> => {
    try {
      return (await call(...asked)).data as NonNullable<Found["data"]>;
    } catch (error) {
      // A proxy cut the answer short: as good as none.
      if (error instanceof SyntaxError) throw new ApiError(0, null);
      throw error;
    }
  };
}

export const get = answered(client.GET);
export const post = answered(client.POST);
export const put = answered(client.PUT);
export const patch = answered(client.PATCH);
export const remove = answered(client.DELETE);

export function ofProject(project_id: string) {
  return { params: { path: { project_id } } };
}

async function sendWithCsrf(request: Request): Promise<Response> {
  if (SAFE.has(request.method)) return fetch(request);
  const again = request.clone();
  const response = await fetch(withToken(request, csrfCookie() ?? (await freshCsrf())));
  if (response.status !== 403 || !(await isCsrfRefusal(response))) return response;
  // The token was rotated by a sign-in in another tab, or the cookie lapsed.
  return fetch(withToken(again, await freshCsrf()));
}

function withToken(request: Request, token: string | null): Request {
  if (token) request.headers.set("X-CSRFToken", token);
  return request;
}

async function freshCsrf(): Promise<string | null> {
  await get("/api/session/");
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
    throw new ApiError(0, null);
  }
}
