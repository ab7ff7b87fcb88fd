// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { csrfCookie, get, post, remove } from "./client";
import { ApiError } from "./errors";
import { noAnswer } from "./noAnswer";

type Answer = { status: number; body?: unknown; sets?: string };
let calls: { method: string; path: string; csrf: string | null; body: unknown }[];
let answers: Answer[];

function setCookie(value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: stands in for the server's Set-Cookie
  document.cookie = value;
}

beforeEach(() => {
  calls = [];
  setCookie("csrftoken=; expires=Thu, 01 Jan 1970 00:00:00 GMT");
  vi.stubGlobal("fetch", async (request: Request) => {
    const { method, url, headers } = request;
    const csrf = headers.get("X-CSRFToken");
    calls.push({ method, path: new URL(url).pathname, csrf, body: await request.text() });
    const answer = answers.shift();
    if (!answer) throw new TypeError("Failed to fetch");
    if (answer.sets) setCookie(`csrftoken=${answer.sets}`);
    const text = answer.body === undefined ? null : JSON.stringify(answer.body);
    return new Response(text, { status: answer.status, headers: { "content-type": "application/json" } });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const ROUND = { params: { path: { round_id: "r1" } } };

describe("a call", () => {
  it("asks for the CSRF cookie before the first unsafe request, and sends it along", async () => {
    answers = [
      { status: 200, body: { csrf: true }, sets: "one" },
      { status: 201, body: { id: "x" } },
    ];
    expect(await post("/api/projects/", { body: { name: "P" } })).toEqual({ id: "x" });
    expect(calls).toEqual([
      { method: "GET", path: "/api/session/", csrf: null, body: "" },
      { method: "POST", path: "/api/projects/", csrf: "one", body: '{"name":"P"}' },
    ]);
  });

  it("takes a fresh token when the old one is refused, once", async () => {
    setCookie("csrftoken=old");
    const refusal = { status: 403, body: { detail: "CSRF Failed: CSRF token incorrect." } };
    answers = [refusal, { status: 200, body: {}, sets: "new" }, { status: 200, body: { ok: 1 } }];
    expect(await post("/api/rounds/{round_id}/cancel/", ROUND)).toEqual({ ok: 1 });
    expect(calls.map((call) => call.csrf)).toEqual(["old", null, "new"]);
    answers = [refusal, { status: 200, body: {} }, refusal];
    await expect(post("/api/rounds/{round_id}/cancel/", ROUND)).rejects.toMatchObject({
      status: 403,
    });
  });

  it("does not repeat a request that the role forbids", async () => {
    setCookie("csrftoken=one");
    answers = [{ status: 403, body: { detail: "Admins only." } }];
    await expect(post("/api/rounds/{round_id}/cancel/", ROUND)).rejects.toThrow("Admins only.");
    expect(calls).toHaveLength(1);
  });

  it("says what went wrong in words, with the fields", async () => {
    answers = [{ status: 400, body: { detail: "No.", errors: { "answers.mp": ["Required."] } } }];
    const error = await get("/api/me/").catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, message: "No.", fields: { "answers.mp": ["Required."] } });
  });

  it("gives no answer at all as status 0, and lets it be tried again", async () => {
    answers = [];
    const error = await get("/api/me/").catch((caught: unknown) => caught);
    expect(error).toMatchObject({ status: 0, isTemporary: true });
  });

  it("tells a file that was changed since it was chosen from a server that is away", async () => {
    const form = new FormData();
    form.set("file", new File(["one"], "learn.jsonl"));
    expect(await noAnswer(form)).toMatchObject({ status: 0 });
    vi.spyOn(Blob.prototype, "arrayBuffer").mockRejectedValue(new DOMException("", "NotReadableError"));
    expect(await noAnswer(form)).toMatchObject({
      status: 400,
      message: "learn.jsonl was changed or moved since it was chosen. Choose it again.",
    });
  });

  it("gives an answer that a proxy cut short as none", async () => {
    vi.stubGlobal(
      "fetch",
      async () => new Response('{"id": "an', { headers: { "content-type": "application/json" } }),
    );
    await expect(get("/api/me/")).rejects.toMatchObject({ status: 0 });
  });

  it("answers 204 with nothing", async () => {
    setCookie("csrftoken=one");
    answers = [{ status: 204 }];
    expect(await remove("/api/session/")).toBeUndefined();
  });
});

it("reads the token from among other cookies", () => {
  expect(csrfCookie("a=1; csrftoken=t%3D1; b=2")).toBe("t=1");
  expect(csrfCookie("xcsrftoken=1")).toBeNull();
});
