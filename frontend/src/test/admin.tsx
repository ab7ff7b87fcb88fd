import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import axe from "axe-core";
import type { ComponentType } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, onTestFinished, vi } from "vitest";
import { meQuery } from "../api/queries";
import type { Me, Project } from "../api/types";
import { createQueryClient } from "../app/queryClient";
import { AnnouncerProvider } from "../components/Announcer";
import { LeavingGuard } from "../kept/leaving";
import { ProjectContext } from "../session/project";
import { RequireSession } from "../session/session";
import { askedOf } from "./askedOf";

type Role = Project["role"];

/** A member's role in a project, with what the server says that it allows. */
export function roleOf(role: Role): Pick<Project, "role" | "may"> {
  const may: Record<Role, Project["may"]> = {
    admin: ["manage", "rate", "resolve", "group"],
    annotator: ["rate", "group"],
    adjudicator: ["resolve", "group"],
  };
  return { role, may: may[role] };
}

export const PROJECT: Project = {
  id: "p1",
  name: "Committee stance",
  description: "",
  owner: "Ada",
  ...roleOf("admin"),
  annotation_budget: 1050,
  budget_spent: 0,
  time_zone: "UTC",
  created_at: "2025-11-20T09:00:00Z",
  archived_at: null,
  deletes_at: null,
  pool_size: 176118,
  pool_left: 176118,
  n_documents: 1290,
  active_codebook: { id: "c1", version: 1 },
  has_spans: false,
  has_stages: true,
  has_batches: true,
  has_answers: true,
  has_text_sets: false,
  my_progress: null,
  active_round: null,
};

export const ME: Me = {
  id: "u1",
  username: "admin",
  display_name: "Admin",
  address: "",
  has_password: true,
  time_zone: "",
  can_create_projects: true,
  notice_mails: "daily",
};

/** What the server says of itself: it sends mail. */
export const SERVER = {
  csrf: true,
  upload_max_bytes: 2_147_483_648,
  sends_mail: true,
  openid_button: "",
  awaits_first: false,
};

interface Asked {
  method: string;
  path: string;
  body: unknown;
}

/** An answer: a body for 200, or a status with a body. */
export class Answer {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

type Handler = unknown | ((asked: Asked) => unknown);

/** What pages ask for beside what they are about. */
const BESIDE: Record<string, Handler> = {
  "GET /api/notices/": { notices: [] },
  "GET /api/projects/p1/codebook-notes/": [],
};

/**
 * Stands in for the server: "GET /api/..." -> body, Answer, a function of the request, or a promise of one. A path that is not listed
 * fails the test. Returns what was asked, in order.
 */
export function serve(routes: Record<string, Handler>): Asked[] {
  const asked: Asked[] = [];
  const unserved: string[] = [];
  onTestFinished(() => expect(unserved).toEqual([]));
  // biome-ignore lint/suspicious/noDocumentCookie: the CSRF cookie is what the API layer reads.
  document.cookie = "csrftoken=t";
  vi.stubGlobal("fetch", async (sent: Request) => {
    const request = await askedOf(sent);
    asked.push(request);
    const key = `${request.method} ${request.path.split("?")[0]}`;
    const handler = routes[key] ?? BESIDE[key];
    if (!(key in routes || key in BESIDE)) unserved.push(key);
    const found = await (typeof handler === "function" ? handler(request) : handler);
    const { status, body } = found instanceof Answer ? found : new Answer(200, found);
    return new Response(status === 204 ? null : JSON.stringify(body), {
      status,
      headers: { "content-type": "application/json" },
    });
  });
  return asked;
}

/** The screen as an admin of the project sees it, opened at an address of this path. */
export function renderScreen(
  Screen: ComponentType,
  project: Partial<Project> = {},
  address = "/",
  path = "*",
) {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { retry: false } });
  client.setQueryData(meQuery.queryKey, ME);
  const router = createMemoryRouter(
    [
      {
        path,
        element: (
          <RequireSession>
            <ProjectContext value={{ ...PROJECT, ...project }}>
              <Screen />
              <LeavingGuard />
            </ProjectContext>
          </RequireSession>
        ),
      },
      // Where the screen leads.
      { path: "*", element: null },
    ],
    { initialEntries: [address] },
  );
  const shown = render(
    <QueryClientProvider client={client}>
      <AnnouncerProvider>
        <RouterProvider router={router} />
      </AnnouncerProvider>
    </QueryClientProvider>,
  );
  return { ...shown, router };
}

/** Colours are checked in a real browser: jsdom draws nothing. */
export async function expectAccessible(container: Element) {
  const { violations } = await axe.run(container, { rules: { "color-contrast": { enabled: false } } });
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`)).toEqual(
    [],
  );
}
