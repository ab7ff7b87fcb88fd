import { vi } from "vitest";
import type { CodebookNote, OwnFlag, SentFlag } from "../api/flags";
import type { OwnPractice } from "../api/practice";
import type { AnnotationBody, Assignment, LabelWindow, Project, SentWindow, WindowState } from "../api/types";
import { roleOf } from "./admin";
import { askedOf } from "./askedOf";
import { assignment, sentWindow } from "./fixtures";

const ANNA = {
  id: "anna",
  username: "anna",
  display_name: "Anna",
  address: "",
  has_password: true,
  time_zone: "",
  can_create_projects: false,
  notice_mails: "daily",
};

/** The person's side of the API in memory, answering fetch as docs/develop/api.md says. */
export class FakeServer {
  assignments: Assignment[] = ["a1", "a2", "a3", "a4"].map((id) => assignment(id));
  posted: { id: string; body: AnnotationBody }[] = [];
  requests: string[] = [];
  signedIn = true;
  isDown = false;
  /** Takes what is sent, and its answer does not arrive. */
  losesReceipts = false;
  /** Texts of every item's source documents. */
  sources: unknown[] = [];
  /** Own answers that differ from a model's predictions. */
  toCompare: LabelWindow["to_compare"] = [];
  /** The person's own practices. */
  practices: OwnPractice[] = [];
  /** Once nothing is open any more. */
  restState: WindowState = "waiting";
  withdrawn = 0;
  role: Project["role"] = "annotator";
  hasSpans = false;
  hasStages = true;
  hasAnswers = true;
  hasTextSets = false;
  flags: OwnFlag[] = [];
  notes: CodebookNote[] = [];
  private seen = new Map<string, string>();

  install(): void {
    vi.stubGlobal("fetch", async (request: Request) => {
      if (this.isDown) throw new TypeError("Failed to fetch");
      const { method, path, body: sent } = await askedOf(request);
      this.requests.push(`${method} ${path.replace(/\?held=.*/, "")}`);
      const [status, body] = this.answer(method, path, sent);
      if (this.losesReceipts && method === "POST") throw new TypeError("Failed to fetch");
      const text = status === 204 ? null : JSON.stringify(body);
      return new Response(text, { status, headers: { "content-type": "application/json" } });
    });
  }

  window(): LabelWindow {
    const open = this.assignments.filter((each) => each.current === null);
    const state = open.length > 0 ? "ok" : this.restState;
    const done = this.assignments.length - open.length;
    const progress = { done, total: this.assignments.length, withdrawn: this.withdrawn, batch_number: 1 };
    const held = open.slice(0, 3).map(({ id }) => id);
    return { assignments: open.slice(0, 3), held, to_compare: this.toCompare, state, progress };
  }

  /** The window after a submit, without the items that the page says it has. */
  private refill(path: string): SentWindow {
    const held = new URL(path, "http://server").searchParams.get("held")?.split(",") ?? [];
    const { assignments, ...standing } = sentWindow(this.window());
    return {
      ...standing,
      codebooks: [],
      assignments: assignments.filter(({ id, tag }) => !held.includes(`${id}.${tag}`)),
    };
  }

  project(): Project {
    return {
      ...{
        id: "p1",
        name: "Committee stance",
        owner: "Ada",
        description: "",
        ...roleOf(this.role),
        time_zone: "UTC",
        created_at: "",
        archived_at: null,
        deletes_at: null,
      },
      ...{ annotation_budget: 1_050, budget_spent: 0, pool_size: 300, pool_left: 300, n_documents: 2 },
      ...{ active_codebook: null, has_spans: this.hasSpans, has_stages: this.hasStages },
      ...{ has_batches: true, has_answers: this.hasAnswers, has_text_sets: this.hasTextSets },
      ...{ my_progress: { ...this.window().progress, state: this.window().state }, active_round: null },
    };
  }

  private answer(method: string, path: string, body: unknown): [number, unknown] {
    if (path === "/api/session/") return this.session(method);
    if (!this.signedIn) return [401, { detail: "Authentication credentials were not provided." }];
    const routes: Record<string, unknown> = {
      "/api/me/": ANNA,
      "/api/projects/": [this.project()],
      "/api/projects/p1/": this.project(),
      "/api/projects/p1/workers/": {
        broker: true,
        models: { alive: true, seen_seconds_ago: 1 },
        light: { alive: false, seen_seconds_ago: 60 },
      },
      "/api/projects/p1/next/?ahead=40": sentWindow(this.window()),
      "/api/projects/p1/practices/mine/": { practices: this.practices },
      "/api/projects/p1/assignments/?mine=done": { assignments: this.done() },
      "/api/notices/": { notices: [] },
      "/api/projects/p1/codebook-notes/": this.notes,
      "/api/projects/p1/flags/items/": {
        assignments: [...new Set(this.flags.map((flag) => flag.assignment))],
      },
      ...Object.fromEntries(
        this.flags.map(({ assignment: id }) => [
          `/api/projects/p1/flags/?assignment=${id}`,
          { flags: this.flags.filter((flag) => flag.assignment === id), n: 1, page: 1, n_pages: 1 },
        ]),
      ),
    };
    if (path in routes) return [200, routes[path]];
    if (path.endsWith("/flag/")) return this.flag(path, body as SentFlag);
    const id = /^\/api\/assignments\/([^/]+)\//.exec(path)?.[1];
    const found = this.assignments.find((each) => each.id === id);
    if (!found) return [404, { detail: "Not found." }];
    if (path.endsWith("/sources/")) return [200, { sources: this.sources }];
    return method === "POST" ? this.annotate(found, body as AnnotationBody, path) : [200, found];
  }

  private flag(path: string, { client_id, note }: SentFlag): [number, unknown] {
    const about = { batch_kind: "round" as const, batch_number: 1, text: "", resolved: false, final: false };
    const assignment = path.split("/")[3] ?? "";
    const said = { id: client_id, assignment, words: note, created_at: "2026-01-01T00:00:00Z" };
    if (!this.flags.some(({ id }) => id === client_id))
      this.flags.push({ ...about, ...said, unread: 0, messages: [] });
    return [201, null];
  }

  private session(method: string): [number, unknown] {
    if (method === "GET") {
      // biome-ignore lint/suspicious/noDocumentCookie: stands in for the server's Set-Cookie
      document.cookie = "csrftoken=token";
      return [
        200,
        {
          csrf: true,
          upload_max_bytes: 2_147_483_648,
          sends_mail: false,
          openid_button: "",
          awaits_first: false,
        },
      ];
    }
    this.signedIn = method === "POST";
    return method === "POST" ? [200, ANNA] : [204, null];
  }

  private done() {
    return this.assignments
      .filter((each) => each.current !== null)
      .map(({ id, position, item, current }) => ({
        ...{ id, position, text: item.text, answers: current?.answers ?? {} },
        n_spans: current?.spans.length ?? 0,
        state: current?.skip_reason ? "skipped" : "submitted",
      }));
  }

  private annotate(found: Assignment, body: AnnotationBody, path: string): [number, unknown] {
    this.posted.push({ id: found.id, body });
    const revision = found.current?.revision ?? 0;
    if (!this.seen.has(body.client_id)) {
      if (body.base_revision !== revision)
        return [409, { detail: "stale", code: "stale", current: found.current }];
      this.seen.set(body.client_id, found.id);
      const { answers, comment, context_opened, spans } = body;
      const skip_reason = body.skip_reason ?? null;
      found.current = { revision: revision + 1, answers, spans, comment, context_opened, skip_reason };
    }
    const { answers, spans } = body;
    const annotation = { id: "x", revision: found.current?.revision, answers, spans, created_at: "" };
    return [201, { annotation, refill: this.refill(path) }];
  }
}
