import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { Member } from "../../api/members";
import { Answer, expectAccessible, renderScreen, roleOf, serve } from "../../test/admin";
import type { Log, LogLine } from "./api";
import { Component } from "./index";

const ANN: Member = {
  id: "m2",
  display_name: "Ann",
  username: "ann",
  ...roleOf("annotator"),
  number: 2,
  is_owner: false,
  is_active: true,
  done: 0,
  total: 0,
};
const ROLE: LogLine = {
  id: 207,
  at: "2025-11-20T23:30:00Z",
  person: "m1",
  who: "Admin",
  kind: "members",
  verb: "member_role_set",
  sentence: "Changed the role of Ann: adjudicator (before: annotator).",
  subject: "m2",
  data: { old: "annotator", new: "adjudicator" },
};
const OPENED: LogLine = {
  ...ROLE,
  id: 105,
  person: null,
  who: "the system",
  kind: "rounds",
  verb: "round_opened",
  sentence: "Round 3 chose 150 items.",
  data: { items: 150 },
};
const LOG: Log = {
  lines: [ROLE, OPENED],
  older: null,
  kinds: [
    { key: "members", title: "Members and invitations" },
    { key: "annotations", title: "Annotations" },
  ],
};
const EVENTS = "/api/projects/p1/events/";

function open(log: unknown = LOG, address = "/") {
  const asked = serve({ [`GET ${EVENTS}`]: log, "GET /api/projects/p1/members/": [ANN] });
  const shown = renderScreen(Component, { time_zone: "Europe/Oslo" }, address);
  return { ...shown, paths: () => asked.map(({ path }) => path).filter((path) => path.startsWith(EVENTS)) };
}

describe("the log", () => {
  it("tells who did what and when, in the project's time", async () => {
    const { container, paths } = open();
    const rows = within(await screen.findByRole("table")).getAllByRole("row");
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
      ["When", "Who", "What"],
      ["21 Nov 2025, 00:30", "Admin", ROLE.sentence],
      ["21 Nov 2025, 00:30", "the system", OPENED.sentence],
    ]);
    expect(screen.queryByRole("button", { name: "Show older lines" })).toBeNull();
    expect(paths()).toEqual([`${EVENTS}?kind=main`]);
    await expectAccessible(container);
  });

  it("goes back by what the server names, and keeps what is shown", async () => {
    const { paths } = open(({ path }: { path: string }) =>
      path.includes("before=207") ? { ...LOG, lines: [OPENED] } : { ...LOG, lines: [ROLE], older: 207 },
    );
    await userEvent.click(await screen.findByRole("button", { name: "Show older lines" }));
    expect(await screen.findByText(OPENED.sentence)).toBeVisible();
    expect(screen.getByText(ROLE.sentence)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Show older lines" })).toBeNull();
    expect(paths()).toEqual([`${EVENTS}?kind=main`, `${EVENTS}?kind=main&before=207`]);
  });

  it("filters by kind and person, in the address and in the files", async () => {
    const { paths, router } = open();
    await screen.findByText(ROLE.sentence);
    await userEvent.selectOptions(screen.getByLabelText("What"), "Annotations");
    await screen.findByRole("table");
    await userEvent.selectOptions(screen.getByLabelText("By whom"), "Ann");
    await waitFor(() => expect(paths().at(-1)).toBe(`${EVENTS}?kind=annotations&person=m2`));
    expect(router.state.location.search).toBe("?kind=annotations&person=m2");
    expect(screen.getByRole("link", { name: "download CSV" })).toHaveAttribute(
      "href",
      `${EVENTS}export/?format=csv&kind=annotations&person=m2`,
    );
    await userEvent.selectOptions(screen.getByLabelText("What"), "Everything but annotations");
    await userEvent.selectOptions(screen.getByLabelText("By whom"), "The system");
    await waitFor(() => expect(router.state.location.search).toBe("?person=system"));
    expect(screen.getByRole("link", { name: "download JSONL" })).toHaveAttribute(
      "href",
      `${EVENTS}export/?format=jsonl&kind=main&person=system`,
    );
  });

  it("says where there is no line, of a choice or at all", async () => {
    const { container, unmount } = open({ ...LOG, lines: [] });
    expect(await screen.findByText("Nothing was written yet.")).toBeVisible();
    expect(screen.queryByRole("table")).toBeNull();
    await expectAccessible(container);
    unmount();
    open({ ...LOG, lines: [] }, "/?kind=members");
    expect(await screen.findByText("No lines of this kind.")).toBeVisible();
    expect(screen.getByLabelText("What")).toHaveValue("members");
  });

  it("says when it cannot be loaded, and asks again", async () => {
    const answers = [new Answer(503, { detail: "The database does not answer." }), LOG];
    open(() => answers.shift());
    expect(await screen.findByRole("alert")).toHaveTextContent("The log could not be loaded.");
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText(ROLE.sentence)).toBeVisible();
    expect(screen.queryByRole("alert")).toBeNull();
  });
});
