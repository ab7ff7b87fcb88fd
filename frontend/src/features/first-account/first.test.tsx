import "fake-indexeddb/auto";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Answer, SERVER, serve } from "../../test/admin";
import { axeFindings, renderApp } from "../../test/renderApp";

const LINK = "POST /api/first-account/link/";
const WORKS = { expires_at: "2025-12-11T09:00:00Z" };

it("lets the first person choose name, address and password, and shows what each field lacks", async () => {
  const errors = { password: ["This password is too short."], address: ["Enter a valid email address."] };
  const asked = serve({
    "GET /api/session/": { ...SERVER, awaits_first: true },
    [LINK]: WORKS,
    "POST /api/first-account/": new Answer(400, { detail: "Some fields need to be corrected.", errors }),
  });
  const { user } = renderApp("/first-account#t1");
  await user.type(await screen.findByLabelText("User name"), "ada");
  await user.type(screen.getByLabelText("Your name"), "Ada");
  await user.type(await screen.findByLabelText(/^Your mail address/), "ada@example.org");
  await user.type(screen.getByLabelText("Password"), "short");
  expect(await axeFindings()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Make the account" }));
  expect(await screen.findByText("This password is too short.")).toBeVisible();
  expect(screen.getByLabelText(/^Your mail address/)).toHaveAccessibleDescription(/valid email/);
  expect(asked.find(({ path }) => path === "/api/first-account/")?.body).toEqual({
    token: "t1",
    username: "ada",
    display_name: "Ada",
    address: "ada@example.org",
    password: "short",
  });
});

it("asks for no address where no mail is sent", async () => {
  serve({ "GET /api/session/": { ...SERVER, sends_mail: false, awaits_first: true }, [LINK]: WORKS });
  renderApp("/first-account#t1");
  expect(await screen.findByLabelText("User name")).toBeVisible();
  expect(screen.queryByLabelText(/mail address/)).toBeNull();
});

it("says that a link makes no account any more", async () => {
  serve({ [LINK]: new Answer(409, { code: "first_link_invalid", detail: "Used." }) });
  renderApp("/first-account#t1");
  expect(await screen.findByRole("heading", { name: "This link makes no account" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Sign in" })).toBeVisible();
});

it("tells on the page of sign-in where the first account is made, and only while there is none", async () => {
  serve({
    "GET /api/session/": { ...SERVER, awaits_first: true },
    "GET /api/me/": new Answer(401, { detail: "Authentication credentials were not provided." }),
  });
  renderApp("/sign-in");
  expect(await screen.findByText(/Nobody runs this server yet/)).toBeVisible();
});
