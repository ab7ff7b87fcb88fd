import "fake-indexeddb/auto";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, expect, it, vi } from "vitest";
import { FakeServer } from "../../test/fakeServer";
import { openPage, sentence, status } from "../../test/labelPage";

let server: FakeServer;

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  localStorage.clear();
  server = new FakeServer();
  server.install();
});

it("keeps a question that is asked without a network, and sends it once there is one", async () => {
  const user = userEvent.setup();
  await openPage();
  server.isDown = true;
  await user.keyboard("{Shift>}X{/Shift}");
  await user.type(await screen.findByLabelText(/^Your question/), "Is irony an opinion?");
  await user.click(screen.getByRole("button", { name: "Flag the item" }));
  expect(await screen.findByText(/Saved on this device, sent when the server answers/)).toBeVisible();
  expect(server.flags).toEqual([]);
  server.isDown = false;
  window.dispatchEvent(new Event("online"));
  await waitFor(() => expect(server.flags.map(({ words }) => words)).toEqual(["Is irony an opinion?"]));
  expect(await screen.findByText(/No answer yet/)).toBeVisible();
  await waitFor(() => expect(status()).toBe("All saved"));
});

it("skips the item until the answer comes, which stands beside it then", async () => {
  const user = userEvent.setup();
  await openPage();
  const first = sentence();
  await user.keyboard("{Shift>}X{/Shift}");
  await user.click(await screen.findByRole("button", { name: "Flag and skip for now" }));
  await waitFor(() => expect(sentence()).not.toBe(first));
  await waitFor(() => expect(server.posted[0]?.body.skip_reason).toBe("Waiting for the admins' answer"));
  await waitFor(() => expect(server.flags).toHaveLength(1));
});

it("shows the admins' notes in the help, those of this version and question", async () => {
  const said = { published_at: "2026-01-01T00:00:00Z", withdrawn_at: null, published_by: null };
  server.notes = [
    { ...said, id: "n1", words: "Irony counts.", stage: "opinion", version: 1 },
    { ...said, id: "n2", words: "For later.", stage: "", version: 9 },
  ];
  const user = userEvent.setup();
  await openPage();
  await user.keyboard("h");
  expect(await screen.findByText("Irony counts.")).toBeVisible();
  expect(screen.queryByText("For later.")).toBeNull();
});
