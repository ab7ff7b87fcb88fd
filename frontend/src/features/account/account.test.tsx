import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { followTheme } from "../../browser/theme";
import { Answer, PROJECT, SERVER, serve } from "../../test/admin";
import { axeFindings, renderApp } from "../../test/renderApp";

const ME = {
  id: "u1",
  username: "ann",
  display_name: "Ann",
  address: "",
  has_password: true,
  time_zone: "",
  can_create_projects: false,
  notice_mails: "daily",
};
const HERE = {
  id: "s1",
  agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  signed_in_at: "2026-11-28T09:00:00Z",
  seen_at: "2026-11-28T10:00:00Z",
  expires_at: "2026-12-05T10:00:00Z",
  is_this: true,
};
const PHONE = { ...HERE, id: "s2", agent: "Mozilla/5.0 (iPhone) Version/18.0 Safari/604.1", is_this: false };
const POOR = new Answer(400, {
  detail: "Some fields need to be corrected.",
  errors: { current: ["This is not your password."] },
});

beforeEach(() => vi.stubGlobal("indexedDB", new IDBFactory()));

function open(more = {}) {
  return serve({
    "GET /api/me/": ME,
    "GET /api/me/sessions/": [HERE, PHONE],
    "GET /api/session/": SERVER,
    "GET /api/me/tokens/": [],
    ...more,
  });
}

describe("your account", () => {
  it("lists where one is signed in and ends one of them", async () => {
    let rows = [HERE, PHONE];
    const asked = open({
      "GET /api/me/sessions/": () => rows,
      "DELETE /api/me/sessions/s2/": () => {
        rows = [HERE];
        return new Answer(204, null);
      },
    });
    const { user } = renderApp("/account");
    expect(await screen.findByText("Firefox on Linux")).toBeVisible();
    expect(document.title).toBe("Your account · Quorum");
    expect(await axeFindings()).toEqual([]);
    expect(screen.getAllByRole("button", { name: /^End/ })).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: /^End the sign-in by Safari on iOS/ }));
    await waitFor(() => expect(screen.queryByText("Safari on iOS")).toBeNull());
    expect(asked.some(({ method, path }) => method === "DELETE" && path === "/api/me/sessions/s2/")).toBe(
      true,
    );
  });

  it("offers the person's data as a file", async () => {
    open();
    renderApp("/account");
    const link = await screen.findByRole("link", { name: "Download your data" });
    expect(link).toHaveAttribute("href", "/api/me/data/");
    expect(link).toHaveAttribute("download", "quorum-my-data.zip");
  });

  it("makes a token for a project, shows it once, and revokes it", async () => {
    const token = {
      id: "t1",
      project: "p1",
      project_name: "Committee stance",
      person: "Ann",
      name: "Nightly export",
      scope: "read",
      created_at: "2026-11-28T09:00:00Z",
      expires_at: "2026-12-28T09:00:00Z",
      last_used_at: null,
    };
    let tokens: object[] = [];
    const asked = open({
      "GET /api/projects/": [{ ...PROJECT, may: ["rate"] }],
      "GET /api/me/tokens/": () => tokens,
      "POST /api/me/tokens/": () => {
        tokens = [token];
        return new Answer(201, { ...token, token: "quorum_secret" });
      },
      "DELETE /api/me/tokens/t1/": () => {
        tokens = [];
        return new Answer(204, null);
      },
    });
    const { user } = renderApp("/account");
    await user.click(await screen.findByRole("button", { name: "Make a token" }));
    const form = within(screen.getByRole("form", { name: "Make a token" }));
    await user.selectOptions(form.getByLabelText("Project"), await form.findByText("Committee stance"));
    expect(within(form.getByLabelText("It may")).queryByText(/^Manage/)).toBeNull();
    await user.type(form.getByLabelText("What it is for"), "Nightly export");
    await user.type(form.getByLabelText("Your password"), "the password");
    expect(await axeFindings()).toEqual([]);
    await user.click(form.getByRole("button", { name: "Make the token" }));
    expect(await screen.findByText("quorum_secret")).toBeVisible();
    expect(asked.find(({ method, path }) => method === "POST" && path === "/api/me/tokens/")?.body).toEqual({
      project: "p1",
      name: "Nightly export",
      scope: "read",
      days: 30,
      current: "the password",
    });
    await user.click(await screen.findByRole("button", { name: "Revoke the token Nightly export" }));
    await user.click(screen.getByRole("button", { name: "Revoke the token" }));
    await waitFor(() => expect(screen.getByText("You have none.")).toBeVisible());
  });

  it("asks how often what waits is mailed, once there is a confirmed address", async () => {
    const me = { ...ME, address: "ann@example.org" };
    const asked = open({
      "GET /api/me/": me,
      "PATCH /api/me/": { ...me, notice_mails: "off" },
    });
    const { user } = renderApp("/account");
    const often = within(await screen.findByRole("group", { name: "How often" }));
    expect(often.getByLabelText("Once a day at most")).toBeChecked();
    expect(await axeFindings()).toEqual([]);
    await user.click(often.getByLabelText("Never"));
    await waitFor(() => expect(often.getByLabelText("Never")).toBeChecked());
    expect(asked.find(({ method }) => method === "PATCH")?.body).toEqual({ notice_mails: "off" });
  });

  it("says that an address comes first", async () => {
    open();
    renderApp("/account");
    expect(await screen.findByText(/^Confirm a mail address above/)).toBeVisible();
    expect(screen.queryByRole("group", { name: "How often" })).toBeNull();
  });

  it("tells the rule before a password is refused, and puts the refusal at its field", async () => {
    open({ "POST /api/me/password/": POOR });
    const { user } = renderApp("/account");
    const fresh = await screen.findByLabelText("New password");
    expect(fresh).toHaveAccessibleDescription(/At least 10 characters/);
    await user.type(screen.getByLabelText("Current password"), "wrong");
    await user.type(fresh, "four unrelated words");
    await user.click(screen.getByRole("button", { name: "Change password" }));
    await waitFor(() =>
      expect(screen.getByLabelText("Current password")).toHaveAccessibleDescription(
        "This is not your password.",
      ),
    );
  });

  it("shows a password as it is typed where that is asked for", async () => {
    open();
    const { user } = renderApp("/account");
    const fresh = await screen.findByLabelText("New password");
    expect(fresh).toHaveAttribute("type", "password");
    await user.click(screen.getAllByRole("button", { name: "Show what is typed" })[1] as HTMLElement);
    expect(fresh).toHaveAttribute("type", "text");
    expect(screen.getByLabelText("Current password")).toHaveAttribute("type", "password");
  });

  it("changes the name", async () => {
    const asked = open({ "PATCH /api/me/": { ...ME, display_name: "Ann B." } });
    const { user } = renderApp("/account");
    await user.type(await screen.findByLabelText("Your name"), " B.");
    await user.click(screen.getByRole("button", { name: "Change name" }));
    expect(await screen.findByText("Your name is changed.")).toBeVisible();
    expect(asked.find(({ method }) => method === "PATCH")?.body).toEqual({ display_name: "Ann B." });
  });
});

describe("times and colours", () => {
  it("shows times in the zone that was chosen", async () => {
    let me = ME;
    const asked = open({
      "GET /api/me/": () => me,
      "PATCH /api/me/": () => {
        me = { ...ME, time_zone: "Asia/Tokyo" };
        return me;
      },
    });
    const { user } = renderApp("/account");
    await user.selectOptions(await screen.findByLabelText("Time zone"), "Asia/Tokyo");
    expect(await screen.findAllByText(/Since 28 Nov 2026, 18:00, last used 28 Nov 2026, 19:00/)).toHaveLength(
      2,
    );
    expect(asked.find(({ method }) => method === "PATCH")?.body).toEqual({ time_zone: "Asia/Tokyo" });
  });

  it("keeps the colours that were chosen in this browser", async () => {
    open();
    const { user } = renderApp("/account");
    await user.selectOptions(await screen.findByLabelText("Colours"), "Dark");
    expect(document.documentElement.dataset.theme).toBe("dark");
    followTheme();
    expect(document.documentElement.dataset.theme).toBe("dark");
    localStorage.clear();
    window.dispatchEvent(new StorageEvent("storage"));
    expect(document.documentElement.dataset.theme).toBe("system");
  });
});

describe("a password link", () => {
  it("asks for the new password by the token behind #, and no address holds it", async () => {
    const asked = serve({
      "GET /api/me/": new Answer(401, { detail: "no" }),
      "POST /api/password-links/": { username: "ann", display_name: "Ann", expires_at: HERE.expires_at },
      "POST /api/password-links/use/": ME,
      "GET /api/projects/": [],
    });
    const { user } = renderApp("/password#secret-token");
    await user.type(await screen.findByLabelText("New password"), "four unrelated words");
    expect(await axeFindings()).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Set the password and sign in" }));
    expect(await screen.findByRole("heading", { name: "Your projects" })).toBeVisible();
    expect(asked.find(({ path }) => path === "/api/password-links/use/")?.body).toEqual({
      token: "secret-token",
      password: "four unrelated words",
    });
    expect(asked.some(({ path }) => path.includes("secret-token"))).toBe(false);
  });

  it("says that a link is used up", async () => {
    serve({
      "GET /api/me/": new Answer(401, { detail: "no" }),
      "POST /api/password-links/": new Answer(409, { detail: "Used.", code: "password_link_invalid" }),
    });
    renderApp("/password#old");
    expect(await screen.findByRole("heading", { name: /no longer sets a password/ })).toBeVisible();
  });
});

describe("a mail address", () => {
  it("is asked for with the password, and says what happens next", async () => {
    const asked = open({ "POST /api/me/address/": new Answer(202, null) });
    const { user } = renderApp("/account");
    await user.type(await screen.findByLabelText("Address"), "ann@example.org");
    await user.type(screen.getByLabelText("Your password"), "four unrelated words");
    await user.click(screen.getByRole("button", { name: "Send the link" }));
    expect(await screen.findByText(/A mail is on its way to ann@example.org/)).toBeVisible();
    expect(asked.find(({ path }) => path === "/api/me/address/")?.body).toEqual({
      address: "ann@example.org",
      current: "four unrelated words",
    });
    expect(screen.queryByRole("button", { name: "Take the address off" })).toBeNull();
  });

  it("is taken off with the password", async () => {
    const withAddress = { ...ME, address: "ann@example.org" };
    const server = { ...SERVER, sends_mail: false };
    open({ "GET /api/me/": withAddress, "GET /api/session/": server, "POST /api/me/address/remove/": ME });
    const { user } = renderApp("/account");
    expect(await screen.findByText("ann@example.org")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Send the link" })).toBeNull();
    await user.type(screen.getByLabelText("Your password"), "four unrelated words");
    await user.click(screen.getByRole("button", { name: "Take the address off" }));
    await waitFor(() => expect(screen.queryByText("ann@example.org")).toBeNull());
  });

  it("is confirmed by the token behind #", async () => {
    const asked = serve({
      "GET /api/me/": new Answer(401, { detail: "no" }),
      "POST /api/address-links/": { username: "ann", display_name: "Ann", address: "ann@example.org" },
      "POST /api/address-links/use/": new Answer(204, null),
    });
    const { user } = renderApp("/confirm-address#secret-token");
    await user.click(await screen.findByRole("button", { name: "Confirm the address" }));
    expect(await screen.findByRole("heading", { name: "The address is confirmed" })).toBeVisible();
    expect(await axeFindings()).toEqual([]);
    expect(asked.find(({ path }) => path === "/api/address-links/use/")?.body).toEqual({
      token: "secret-token",
    });
    expect(asked.some(({ path }) => path.includes("secret-token"))).toBe(false);
  });
});

it("sends a link by mail to who forgot the password", async () => {
  const asked = serve({
    "GET /api/me/": new Answer(401, { detail: "no" }),
    "GET /api/session/": SERVER,
    "POST /api/password-mails/": new Answer(202, null),
  });
  const { user } = renderApp("/sign-in");
  await user.click(await screen.findByRole("button", { name: "Forgotten your password?" }));
  await user.type(await screen.findByLabelText("Your mail address"), "ann@example.org");
  await user.click(screen.getByRole("button", { name: "Send a link" }));
  expect(await screen.findByText(/a mail with a link is on its way/)).toBeVisible();
  expect(asked.find(({ path }) => path === "/api/password-mails/")?.body).toEqual({
    address: "ann@example.org",
  });
  expect(await axeFindings()).toEqual([]);
});

it("tells on the sign-in page what to do about a forgotten password", async () => {
  serve({
    "GET /api/me/": new Answer(401, { detail: "no" }),
    "GET /api/session/": { ...SERVER, sends_mail: false },
  });
  const { user } = renderApp("/sign-in");
  await user.click(await screen.findByRole("button", { name: "Forgotten your password?" }));
  expect(screen.getByText(/Ask an admin of your project/)).toBeVisible();
  expect(await axeFindings()).toEqual([]);
});
