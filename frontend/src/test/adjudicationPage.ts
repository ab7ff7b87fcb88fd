import { screen, within } from "@testing-library/react";
import type { Case, Decision, DecisionBody, Listing, LookPlace } from "../features/adjudication/api";
import { LATER, LISTING, LOOK, TIE } from "./adjudication";
import { Answer, ME, PROJECT, roleOf, serve } from "./admin";
import { renderApp } from "./renderApp";
// The screen is loaded before the first test begins, which would wait for it else.
import "../features/adjudication/index";

export const PAGE = "/projects/p1/adjudication";

/** Decides as the server does; `refusal` stands in for its next answer to a decision. */
export class Server {
  cases: Record<string, Case | Answer> = { i1: TIE, i2: LATER };
  listing: Listing = LISTING;
  looks: LookPlace[] = [LOOK];
  refusal: Answer | null = null;
  posted: DecisionBody[] = [];
  /** What every answer to a decision waits for. */
  delay: Promise<void> | null = null;

  install(role: "admin" | "adjudicator" = "adjudicator") {
    const project = { ...PROJECT, ...roleOf(role) };
    return serve({
      "GET /api/me/": ME,
      "GET /api/projects/": [project],
      "GET /api/projects/p1/": project,
      "GET /api/projects/p1/workers/": new Answer(503, {}),
      "GET /api/projects/p1/adjudication/": () => this.listing,
      "GET /api/projects/p1/adjudication/i1/": () => this.cases.i1,
      "GET /api/projects/p1/adjudication/i2/": () => this.cases.i2,
      "POST /api/projects/p1/adjudication/i1/": ({ body }: { body: DecisionBody }) =>
        this.decided("i1", body),
      "POST /api/projects/p1/adjudication/i2/": ({ body }: { body: DecisionBody }) =>
        this.decided("i2", body),
      "GET /api/projects/p1/second-looks/": () => ({ rounds: this.looks }),
      "POST /api/rounds/r1/second-look/": () => this.look({ closed: false }),
      "POST /api/rounds/r1/second-look/close/": () => this.look({ closed: true }),
    });
  }

  private async decided(id: string, body: DecisionBody): Promise<unknown> {
    await this.delay;
    return this.decide(id, body);
  }

  private decide(id: string, body: DecisionBody): unknown {
    this.posted.push(body);
    if (this.refusal) {
      const refusal = this.refusal;
      this.refusal = null;
      return refusal;
    }
    const decision: Decision = {
      revision: body.base_revision + 1,
      source: body.source,
      labels: body.labels as Record<string, string>,
      reason: body.reason,
      withdraws: body.withdraw,
      mine: true,
    };
    this.cases[id] = { ...(this.cases[id] as Case), decision };
    return new Answer(201, decision);
  }

  private look(part: { closed: boolean }): unknown {
    const annotators = [{ id: "m2", display_name: "Ann", done: 1, total: 2 }];
    const second_look = { size: 2, done: 1, total: 4, complete: false, annotators, ...part };
    this.looks = [{ ...LOOK, may_open: false, reason: "Batch 1 has had its second look.", second_look }];
    return new Answer(part.closed ? 200 : 201, { rounds: this.looks });
  }
}

export function open(at = "", role: "admin" | "adjudicator" = "adjudicator", server = new Server()) {
  const asked = server.install(role);
  return { server, asked, ...renderApp(PAGE + at) };
}

/** The cells of one column of the table of answers, without its head. */
export const column = (letter: string) => {
  const table = screen.getByRole("table");
  const place = within(table)
    .getAllByRole("columnheader")
    .findIndex((head) => head.textContent === letter);
  return within(table)
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.children[place]?.textContent);
};
