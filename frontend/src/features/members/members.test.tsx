import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Invite, Member } from "../../api/members";
import { Answer, expectAccessible, renderScreen, roleOf, SERVER, serve } from "../../test/admin";
import { Component } from "./index";

const ADMIN: Member = {
  id: "m1",
  display_name: "Admin",
  username: "admin",
  ...roleOf("admin"),
  number: 1,
  is_owner: false,
  is_active: true,
  done: 0,
  total: 0,
};
const ANN: Member = {
  ...ADMIN,
  id: "m2",
  display_name: "Ann",
  username: "ann",
  ...roleOf("annotator"),
  number: 2,
};
const BEN: Member = { ...ANN, id: "m3", display_name: "Ben", username: "ben", number: 3, is_active: false };

const INVITE: Invite = {
  id: "i1",
  role: "annotator",
  note: "",
  address: "",
  mailed_at: null,
  mail_problem: "",
  url: null,
  created_at: "2025-11-20T09:00:00Z",
  expires_at: "2025-12-04T09:00:00Z",
  used_at: "2025-11-21T10:00:00Z",
  revoked_at: null,
};

function open(members: unknown = [ADMIN, { ...ANN, done: 120, total: 150 }, BEN], more = {}) {
  const asked = serve({
    "GET /api/projects/p1/members/": members,
    "GET /api/projects/p1/invites/": [INVITE],
    "GET /api/session/": SERVER,
    ...more,
  });
  return { asked, ...renderScreen(Component) };
}

describe("members", () => {
  it("lists people with role, pseudonym, progress and state", async () => {
    const { container } = open();
    const row = (await screen.findByRole("rowheader", { name: /Ann/ })).closest("tr");
    expect(row).toHaveTextContent("annotator 2");
    expect(row).toHaveTextContent("120 of 150active");
    expect(screen.getByRole("rowheader", { name: /Ben/ }).closest("tr")).toHaveTextContent("deactivated");
    await expectAccessible(container);
  });

  it("deactivates after saying that the data keeps counting", async () => {
    const { asked, container } = open(undefined, {
      "POST /api/members/m2/deactivate/": { ...ANN, is_active: false },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Deactivate Ann" }));
    const dialog = screen.getByRole("dialog", { name: "Deactivate Ann?" });
    expect(dialog).toHaveTextContent("stays and keeps counting");
    expect(dialog).toHaveTextContent("The 30 open assignments are withdrawn");
    await expectAccessible(container);
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
    await userEvent.click(within(dialog).getByRole("button", { name: "Deactivate Ann" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked.some(({ path }) => path === "/api/members/m2/deactivate/")).toBe(true);
  });

  it("activates at once", async () => {
    const { asked } = open(undefined, { "POST /api/members/m3/activate/": { ...BEN, is_active: true } });
    await userEvent.click(await screen.findByRole("button", { name: "Activate Ben" }));
    await waitFor(() => expect(asked.some(({ path }) => path === "/api/members/m3/activate/")).toBe(true));
  });

  it("shows why the last admin's role cannot change, and keeps showing the true one", async () => {
    const errors = { role: ["This is the project's last admin: make someone else admin first."] };
    open(undefined, {
      "PATCH /api/members/m1/": new Answer(400, { detail: "Some fields need to be corrected.", errors }),
    });
    const role = await screen.findByLabelText("Role of Admin");
    await userEvent.selectOptions(role, "annotator");
    await userEvent.click(screen.getByRole("button", { name: "Make Admin an annotator" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(/^This is the project's last admin/);
    expect(role).toHaveValue("admin");
  });

  it("asks before a role changes, and leaves it where it is not confirmed", async () => {
    const { asked, container } = open([ADMIN, { ...ANN, done: 120, total: 150 }], {
      "PATCH /api/members/m2/": { ...ANN, role: "adjudicator" },
    });
    const role = await screen.findByLabelText("Role of Ann");
    await userEvent.selectOptions(role, "adjudicator");
    const dialog = screen.getByRole("dialog", { name: "Make Ann an adjudicator?" });
    expect(dialog).toHaveTextContent("120 of 150 assignments are done");
    await expectAccessible(container);
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(role).toHaveValue("annotator");
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
    await userEvent.selectOptions(role, "adjudicator");
    await userEvent.click(screen.getByRole("button", { name: "Make Ann an adjudicator" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked.find(({ method }) => method === "PATCH")?.body).toEqual({ role: "adjudicator" });
  });

  it("sends the link to an address, and says that its mail has not left yet", async () => {
    const address = "bruno@example.org";
    const mailed = { ...INVITE, id: "i2", address, used_at: null, expires_at: "2999-01-01T00:00:00Z" };
    let invites = [INVITE];
    const { asked } = open(undefined, {
      "GET /api/projects/p1/invites/": () => invites,
      "POST /api/projects/p1/invites/": () => {
        invites = [mailed, INVITE];
        return new Answer(201, mailed);
      },
    });
    await userEvent.type(await screen.findByLabelText("Mail address"), address);
    await userEvent.click(screen.getByRole("button", { name: "Send the link" }));
    expect(
      await screen.findByText(`A mail with the link for one annotator is on its way to ${address}.`),
    ).toBeVisible();
    expect(screen.getByRole("list", { name: "Open invitations" })).toHaveTextContent(
      "the mail has not left yet",
    );
    expect(screen.queryByRole("button", { name: "Copy" })).toBeNull();
    expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({ role: "annotator", address });
  });

  it("says that the mail of an invitation was given up, and makes a link to pass on", async () => {
    const [address, url] = ["bruno@example.org", "https://quorum.example/invite/abc"];
    const failed = { ...INVITE, id: "i2", address, used_at: null, expires_at: "2999-01-01T00:00:00Z" };
    const { asked } = open(undefined, {
      "GET /api/projects/p1/invites/": [{ ...failed, mail_problem: "550 No such person" }],
      "POST /api/projects/p1/invites/": new Answer(201, { ...INVITE, id: "i3", url, used_at: null }),
    });
    const opened = await screen.findByRole("list", { name: "Open invitations" });
    expect(opened).toHaveTextContent("the mail was given up, so nobody has the link (550 No such person)");
    expect(opened).not.toHaveTextContent("has not left yet");
    await userEvent.click(screen.getByRole("button", { name: "Make a link to pass on yourself" }));
    expect(await screen.findByDisplayValue(url)).toBeVisible();
    expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({ note: address, address: "" });
  });

  it("shows an invite's link once, with a button that copies it", async () => {
    const url = "https://quorum.example/invite/abc";
    const { asked, container } = open(undefined, {
      "POST /api/projects/p1/invites/": new Answer(201, { ...INVITE, id: "i2", url, used_at: null }),
    });
    const user = userEvent.setup();
    const write = vi.spyOn(navigator.clipboard, "writeText");
    await user.selectOptions(await screen.findByLabelText("As"), "adjudicator");
    await user.type(screen.getByLabelText("Note"), "for Bruno");
    await user.click(screen.getByRole("button", { name: "Make a link" }));
    expect(await screen.findByDisplayValue(url)).toHaveAttribute("readonly");
    expect(screen.queryByText("The link opens on this machine only.")).toBeNull();
    expect(asked.find(({ method }) => method === "POST")?.body).toMatchObject({
      role: "adjudicator",
      note: "for Bruno",
      address: "",
    });
    await user.click(screen.getByRole("button", { name: "Copy" }));
    expect(write).toHaveBeenCalledWith(url);
    expect(await screen.findByText("Copied.")).toBeVisible();
    await expectAccessible(container);
  });

  it("keeps each link of this sitting on the page when the next one is made", async () => {
    const answers = ["Ada", "Bruno", "Clara"].map((note, n) => {
      const url = `https://quorum.example/invite/${note}`;
      return new Answer(201, {
        ...INVITE,
        id: `n${n}`,
        note,
        url,
        used_at: null,
        expires_at: "2099-01-01T00:00:00Z",
      });
    });
    open(undefined, { "POST /api/projects/p1/invites/": () => answers.shift() });
    for (const note of ["Ada", "Bruno", "Clara"]) {
      await userEvent.type(await screen.findByLabelText("Note"), note);
      await userEvent.click(screen.getByRole("button", { name: "Make a link" }));
      await screen.findByDisplayValue(`https://quorum.example/invite/${note}`);
    }
    for (const note of ["Ada", "Bruno", "Clara"])
      expect(screen.getByLabelText(new RegExp(`Link for one .*\\(${note}\\)`))).toHaveValue(
        `https://quorum.example/invite/${note}`,
      );
  });

  it("says that a retry met an invitation that is gone, and makes a new one at the next press", async () => {
    const gone = { ...INVITE, id: "i2", url: null, used_at: null, revoked_at: "2026-07-01T10:00:00Z" };
    const url = "https://quorum.example/invite/abc";
    const answers = [new Answer(201, gone), new Answer(201, { ...INVITE, id: "i3", url, used_at: null })];
    const { asked } = open(undefined, { "POST /api/projects/p1/invites/": () => answers.shift() });
    const make = await screen.findByRole("button", { name: "Make a link" });
    await userEvent.click(make);
    expect(await screen.findByRole("alert")).toHaveTextContent("no longer lets anybody in: revoked");
    await userEvent.click(make);
    expect(await screen.findByDisplayValue(url)).toBeVisible();
    const sent = asked
      .filter(({ method }) => method === "POST")
      .map(({ body }) => body as { client_id: string });
    expect(new Set(sent.map(({ client_id }) => client_id)).size).toBe(2);
  });

  it("marks the link where the browser refuses the clipboard", async () => {
    const url = "http://127.0.0.1:8000/invite/abc";
    open(undefined, {
      "POST /api/projects/p1/invites/": new Answer(201, { ...INVITE, id: "i2", url, used_at: null }),
    });
    const user = userEvent.setup();
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new DOMException("no", "NotAllowedError"));
    await user.click(await screen.findByRole("button", { name: "Make a link" }));
    const shown = await screen.findByDisplayValue(url);
    await user.click(screen.getByRole("button", { name: "Copy" }));
    expect(await screen.findByText(/copy it with the keyboard/)).toBeVisible();
    expect(shown).toHaveFocus();
    expect(screen.getByText("The link opens on this machine only.")).toBeVisible();
  });

  it("tells used, revoked, open and lapsed invitations apart", async () => {
    const late = { ...INVITE, id: "i3", used_at: null, expires_at: "2020-01-01T00:00:00Z" };
    const live = { ...INVITE, id: "i4", used_at: null, expires_at: "2999-01-01T00:00:00Z" };
    const dead = { ...live, id: "i5", revoked_at: "2025-11-22T10:00:00Z" };
    open(undefined, { "GET /api/projects/p1/invites/": [INVITE, late, live, dead] });
    await userEvent.click(await screen.findByText("4 invitations so far, 1 open"));
    expect(screen.getByText(/used 21 Nov 2025/)).toBeVisible();
    expect(screen.getByText(/revoked 22 Nov 2025/)).toBeVisible();
    expect(screen.getByText(/ran out unused/)).toBeVisible();
    const opened = screen.getByRole("list", { name: "Open invitations" });
    expect(opened.querySelectorAll("li")).toHaveLength(1);
    expect(opened).toHaveTextContent("open until 1 Jan 2999");
  });

  it("revokes an open invitation, and shows what the server refuses", async () => {
    const live = { ...INVITE, id: "i4", used_at: null, expires_at: "2999-01-01T00:00:00Z" };
    let shown: Invite[] = [live];
    const answers = [
      new Answer(409, { detail: "Somebody came in by this link.", code: "invite_used" }),
      { ...live, revoked_at: "2025-11-22T10:00:00Z" },
    ];
    const { asked, container } = open(undefined, {
      "GET /api/projects/p1/invites/": () => shown,
      "POST /api/invites/i4/revoke/": () => answers.shift(),
    });
    const revoke = { name: /^Revoke the link for one annotator, made 20 Nov 2025/ };
    await userEvent.click(await screen.findByRole("button", revoke));
    await userEvent.click(screen.getByRole("button", { name: "Revoke the link" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Somebody came in by this link.");
    await expectAccessible(container);
    shown = [{ ...live, revoked_at: "2025-11-22T10:00:00Z" }];
    await userEvent.click(screen.getByRole("button", { name: "Revoke the link" }));
    await waitFor(() => expect(screen.queryByRole("button", revoke)).toBeNull());
    expect(asked.filter(({ path }) => path === "/api/invites/i4/revoke/")).toHaveLength(2);
  });
});
