import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import type { Notice } from "../api/notices";
import { Answer, renderScreen, serve } from "../test/admin";
import { Bell } from "./Bell";

const WAITS: Notice = {
  project: "p1",
  project_name: "Committee stance",
  key: "question",
  kind: "question",
  level: 7,
  n: 2,
  number: null,
  batch: "",
  at: "2026-01-01T00:00:00Z",
  unread: true,
};

it("counts what is unread, leads to it, and marks it as read", async () => {
  const failed: Notice = {
    ...WAITS,
    key: "failed r",
    kind: "failed",
    number: 3,
    batch: "round",
    unread: false,
  };
  const asked = serve({
    "GET /api/notices/": { notices: [WAITS, failed] },
    "POST /api/notices/read/": new Answer(204, null),
  });
  const { router } = renderScreen(Bell);
  await userEvent.click(await screen.findByRole("button", { name: "Notices, 1 unread one" }));
  const dialog = await screen.findByRole("dialog");
  expect(within(dialog).getByRole("link", { name: "Round 3 failed" })).toHaveAttribute(
    "href",
    "/projects/p1/rounds",
  );
  await userEvent.click(within(dialog).getByRole("link", { name: "2 flags wait for your answer" }));
  expect(router.state.location.pathname + router.state.location.search).toBe(
    "/projects/p1/comments?kind=flag&state=waiting",
  );
  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() =>
    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
      read: [{ project: "p1", key: "question", level: 7 }],
    }),
  );
});
