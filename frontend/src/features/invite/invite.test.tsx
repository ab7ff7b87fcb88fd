import "fake-indexeddb/auto";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Answer, SERVER, serve } from "../../test/admin";
import { axeFindings, renderApp } from "../../test/renderApp";

const INVITE = {
  project: "Committee stance",
  invited_by: "Ada Admin",
  role: "annotator",
  expires_at: "2025-12-11T09:00:00Z",
};
const SIGNED_OUT = new Answer(401, { detail: "Authentication credentials were not provided." });

it("tells a newcomer who asks for what, before an account is made", async () => {
  serve({ "GET /api/me/": SIGNED_OUT, "GET /api/session/": SERVER, "GET /api/invites/t1/": INVITE });
  renderApp("/invite/t1");
  expect(await screen.findByText(/Ada Admin asks you to join the project/)).toHaveTextContent(
    "Committee stance in Quorum as annotator",
  );
  expect(screen.getByRole("button", { name: "Create the account and join" })).toBeVisible();
  expect(await axeFindings()).toEqual([]);
});

it("tells at once that a link is used up", async () => {
  const detail = "This link was used or has run out: ask for a new one.";
  serve({
    "GET /api/me/": SIGNED_OUT,
    "GET /api/session/": SERVER,
    "GET /api/invites/t1/": new Answer(409, { code: "invite_invalid", detail }),
  });
  renderApp("/invite/t1");
  expect(await screen.findByRole("heading", { name: /no longer works/ })).toBeVisible();
  expect(screen.queryByLabelText("Password")).toBeNull();
  expect(screen.getByRole("link", { name: "Sign in" })).toBeVisible();
});

it("shows what the server says of each field, and of what has no field", async () => {
  const errors = { username: ["This name is taken."], token: ["This link is too long."] };
  serve({
    "GET /api/me/": SIGNED_OUT,
    "GET /api/session/": SERVER,
    "GET /api/invites/t1/": INVITE,
    "POST /api/invites/accept/": new Answer(400, { detail: "Some fields need to be corrected.", errors }),
  });
  const { user } = renderApp("/invite/t1");
  await user.type(await screen.findByLabelText("User name"), "ann");
  await user.type(screen.getByLabelText("Your name"), "Ann");
  await user.type(screen.getByLabelText("Password"), "four unrelated words here");
  await user.click(screen.getByRole("button", { name: "Create the account and join" }));
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("token: This link is too long.");
  expect(alert).not.toHaveTextContent("This name is taken.");
  expect(screen.getByLabelText("User name")).toHaveAccessibleDescription(/This name is taken/);
});

it("lets a signed-in person join, and shows what the server says against it", async () => {
  const errors = { token: ["You already belong to this project."] };
  const refusal = new Answer(400, { detail: "Some fields need to be corrected.", errors });
  serve({
    "GET /api/me/": {
      id: "u1",
      username: "ann",
      display_name: "Ann",
      address: "",
      time_zone: "",
      can_create_projects: false,
    },
    "GET /api/invites/t1/": INVITE,
    "POST /api/invites/accept/": refusal,
  });
  const { user } = renderApp("/invite/t1");
  await user.click(await screen.findByRole("button", { name: "Join the project" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(/^You already belong to this project\.$/);
});

it("asks for nothing of a link that was used just now", async () => {
  const me = {
    id: "u1",
    username: "ann",
    display_name: "Ann",
    address: "",
    time_zone: "",
    can_create_projects: false,
  };
  const asked = serve({
    "GET /api/me/": SIGNED_OUT,
    "GET /api/session/": SERVER,
    "GET /api/invites/t1/": INVITE,
    "POST /api/invites/accept/": me,
    "GET /api/projects/": [],
  });
  const { user } = renderApp("/invite/t1");
  await user.type(await screen.findByLabelText("User name"), "ann");
  await user.type(screen.getByLabelText("Your name"), "Ann");
  await user.type(screen.getByLabelText("Password"), "four unrelated words here");
  await user.click(screen.getByRole("button", { name: "Create the account and join" }));
  expect(await screen.findByRole("heading", { name: "Your projects" })).toBeVisible();
  expect(asked.filter(({ path }) => path === "/api/invites/t1/")).toHaveLength(1);
});
