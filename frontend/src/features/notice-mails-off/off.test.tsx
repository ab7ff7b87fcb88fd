import "fake-indexeddb/auto";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Answer, serve } from "../../test/admin";
import { axeFindings, renderApp } from "../../test/renderApp";

const OFF = "POST /api/notice-mails/off/";

it("stops the mail only when the button is pressed", async () => {
  const asked = serve({ [OFF]: { username: "ann" } });
  const { user } = renderApp("/notice-mails-off#t1");
  expect(await screen.findByRole("heading", { name: "Stop mail about what waits?" })).toBeVisible();
  expect(await axeFindings()).toEqual([]);
  expect(asked.some(({ method }) => method === "POST")).toBe(false);
  await user.click(screen.getByRole("button", { name: "Stop the mail" }));
  expect(await screen.findByText("ann")).toBeVisible();
  expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ token: "t1" });
});

it("says that a link is not whole", async () => {
  serve({ [OFF]: new Answer(409, { code: "link_invalid", detail: "This link is not whole." }) });
  const { user } = renderApp("/notice-mails-off#t");
  await user.click(await screen.findByRole("button", { name: "Stop the mail" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("This link is not whole.");
});
