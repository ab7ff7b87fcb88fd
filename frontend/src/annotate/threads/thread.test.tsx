import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import type { ThreadMessage } from "../../api/flags";
import { Answer, renderScreen, serve } from "../../test/admin";
import { Thread } from "./Thread";

const MESSAGE: ThreadMessage = {
  id: "m1",
  who: "Admin",
  words: "It is one.",
  is_asker: false,
  is_note: false,
  created_at: "2026-01-01T00:00:00Z",
};

/** Another message comes, as a poll brings it. */
function Growing() {
  const [messages, setMessages] = useState<ThreadMessage[]>([]);
  return (
    <>
      <button type="button" onClick={() => setMessages([MESSAGE])}>
        Poll
      </button>
      <Thread flagId="f1" messages={messages} isOwn isUnread={false} refreshes={[]} />
    </>
  );
}

it("sends words again under their first name after a reload too", async () => {
  const answers = [new Answer(502, { detail: "No answer came." }), MESSAGE];
  const asked = serve({ "POST /api/projects/p1/flags/f1/messages/": () => answers.shift() });
  const { unmount } = renderScreen(Growing);
  await userEvent.type(await screen.findByLabelText("Reply to the admins"), "Thanks.");
  await userEvent.click(screen.getByRole("button", { name: "Send the reply" }));
  await screen.findByRole("alert");
  unmount();
  renderScreen(Growing);
  const box = await screen.findByLabelText("Reply to the admins");
  expect(box).toHaveValue("Thanks.");
  await userEvent.click(screen.getByRole("button", { name: "Send the reply" }));
  await waitFor(() => expect(box).toHaveValue(""));
  const sent = asked.flatMap(({ method, body }) => (method === "POST" ? [body] : []));
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

it("sends words again under their first name after a lost answer, whatever came meanwhile", async () => {
  const answers = [new Answer(502, { detail: "No answer came." }), MESSAGE, MESSAGE];
  const asked = serve({ "POST /api/projects/p1/flags/f1/messages/": () => answers.shift() });
  renderScreen(Growing);
  const box = await screen.findByLabelText("Reply to the admins");
  const send = screen.getByRole("button", { name: "Send the reply" });
  const sent = () =>
    asked
      .filter(({ method }) => method === "POST")
      .map(({ body }) => (body as { client_id: string }).client_id);
  await userEvent.type(box, "Thanks.");
  await userEvent.click(send);
  await screen.findByRole("alert");
  await userEvent.click(screen.getByRole("button", { name: "Poll" }));
  await userEvent.click(send);
  await waitFor(() => expect(box).toHaveValue(""));
  // Said once more on purpose.
  await userEvent.type(box, "Thanks.");
  await userEvent.click(send);
  await waitFor(() => expect(sent()).toHaveLength(3));
  const [first, again, later] = sent();
  expect(again).toBe(first);
  expect(later).not.toBe(first);
});
