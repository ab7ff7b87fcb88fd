import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { Answer, serve } from "../../test/admin";
import { axeFindings, renderApp } from "../../test/renderApp";

const ME = { id: "u1", username: "ann", display_name: "Ann", can_create_projects: false };
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
  return serve({ "GET /api/me/": ME, "GET /api/me/sessions/": [HERE, PHONE], ...more });
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

it("tells on the sign-in page what to do about a forgotten password", async () => {
  serve({ "GET /api/me/": new Answer(401, { detail: "no" }) });
  const { user } = renderApp("/sign-in");
  await user.click(await screen.findByRole("button", { name: "Forgotten your password?" }));
  expect(screen.getByText(/Ask an admin of your project/)).toBeVisible();
  expect(await axeFindings()).toEqual([]);
});
