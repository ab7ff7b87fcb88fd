import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { Answer, expectAccessible, PROJECT, renderScreen, roleOf, serve } from "../../test/admin";
import { Component } from "./index";

const P = "/api/projects/p1/";
const ADMIN = { ...roleOf("admin"), is_active: true, is_owner: false, done: 0, total: 0 };
const MEMBERS = [
  { ...ADMIN, id: "m1", is_owner: true, display_name: "Ada", username: "ada", number: 1 },
  { ...ADMIN, id: "m2", display_name: "Bea", username: "bea", number: 2 },
  { ...ADMIN, ...roleOf("annotator"), id: "m3", display_name: "Cem", username: "cem", number: 3 },
];

function open(project = {}, routes = {}) {
  const asked = serve({
    [`GET ${P}columns/`]: { columns: [] },
    [`GET ${P}tokens/`]: [],
    [`GET ${P}webhooks/`]: [],
    [`GET ${P}members/`]: MEMBERS,
    ...routes,
  });
  return { asked, ...renderScreen(Component, project) };
}

it("renames and describes", async () => {
  const { asked, container } = open({}, { [`PATCH ${P}`]: { ...PROJECT, name: "Stance" } });
  await userEvent.clear(screen.getByLabelText("Name"));
  await userEvent.type(screen.getByLabelText("Name"), "Stance");
  await expectAccessible(container);
  await userEvent.click(screen.getByRole("button", { name: "Save the settings" }));
  await waitFor(() =>
    // What stands as it was is not sent: another admin may have changed it meanwhile.
    expect(asked.find(({ method }) => method === "PATCH")?.body).toEqual({ name: "Stance" }),
  );
});

it("sends a budget that is no number as it was typed, and not as no limit", async () => {
  const { asked } = open({}, { [`PATCH ${P}`]: PROJECT });
  await userEvent.clear(screen.getByLabelText("Budget"));
  await userEvent.type(screen.getByLabelText("Budget"), "12 000");
  await userEvent.click(screen.getByRole("button", { name: "Save the settings" }));
  await waitFor(() =>
    expect(asked.find(({ method }) => method === "PATCH")?.body).toEqual({ annotation_budget: "12 000" }),
  );
});

it("keeps what was typed and not saved, and forgets it once it is saved", async () => {
  const stored = { ...PROJECT, name: "Stance", description: "Two meetings." };
  const first = open({}, { [`PATCH ${P}`]: stored });
  await userEvent.type(screen.getByLabelText("Description"), "Two meetings.");
  first.unmount();
  const second = open({}, { [`PATCH ${P}`]: stored });
  expect(screen.getByLabelText("Description")).toHaveValue("Two meetings.");
  expect(screen.getByText(/Restored the settings/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Save the settings" }));
  await waitFor(() => expect(second.asked.filter(({ method }) => method === "PATCH")).toHaveLength(1));
  await waitFor(() => expect(screen.queryByText(/^Restored/)).toBeNull());
  expect(Object.keys(localStorage).filter((key) => key.includes("naming"))).toEqual([]);
});

it("archives after saying what that means", async () => {
  const { asked } = open({}, { [`POST ${P}archive/`]: { ...PROJECT, archived_at: "2025-11-28T10:00:00Z" } });
  await userEvent.click(screen.getByRole("button", { name: "Archive the project" }));
  const dialog = screen.getByRole("dialog");
  expect(dialog).toHaveTextContent("Annotators get no more of its items");
  await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
  expect(asked.every(({ method }) => method === "GET")).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "Archive the project" }));
  await userEvent.click(
    within(screen.getByRole("dialog")).getByRole("button", { name: "Archive the project" }),
  );
  await waitFor(() => expect(asked.map(({ path }) => path)).toContain(`${P}archive/`));
});

it("deletes only where the name is typed", async () => {
  const { asked, container } = open(
    {},
    { [`POST ${P}delete/`]: { ...PROJECT, deletes_at: "2025-12-12T10:00:00Z" } },
  );
  await userEvent.click(screen.getByRole("button", { name: "Delete the project" }));
  const dialog = screen.getByRole("dialog");
  const act = within(dialog).getByRole("button", { name: "Delete the project" });
  await userEvent.type(within(dialog).getByLabelText(/to confirm/), "committee");
  expect(act).toBeDisabled();
  await expectAccessible(container);
  await userEvent.clear(within(dialog).getByLabelText(/to confirm/));
  await userEvent.type(within(dialog).getByLabelText(/to confirm/), PROJECT.name);
  await userEvent.click(act);
  await waitFor(() => expect(asked.at(-1)?.body).toEqual({ name: PROJECT.name }));
});

it("restores what is to be deleted", async () => {
  const gone = { archived_at: "2025-11-28T10:00:00Z", deletes_at: "2025-12-12T10:00:00Z" };
  const { asked } = open(gone, { [`POST ${P}restore/`]: PROJECT });
  expect(screen.getByText(/On 12 Dec 2025, 10:00 it is deleted/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Delete the project" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Restore the project" }));
  await waitFor(() => expect(asked.map(({ path }) => path)).toContain(`${P}restore/`));
});

it("shows columns beside the text only where they are ticked", async () => {
  const column = { path: ["meta", "party"], name: "party", example: "left", shown: false };
  const date = { path: ["date"], name: "date", example: "2026-03-29", shown: true };
  const { asked, container } = open(
    {},
    {
      [`GET ${P}columns/`]: { columns: [date, column] },
      [`PUT ${P}columns/`]: { columns: [date, { ...column, shown: true }] },
    },
  );
  expect(await screen.findByLabelText("date")).toBeChecked();
  expect(screen.getByLabelText("party")).not.toBeChecked();
  expect(screen.getByLabelText("party")).toHaveAccessibleDescription("such as left");
  await expectAccessible(container);
  await userEvent.click(screen.getByLabelText("party"));
  await userEvent.click(screen.getByRole("button", { name: "Save the columns" }));
  await waitFor(() =>
    expect(asked.find(({ method }) => method === "PUT")?.body).toEqual({
      shown: [["date"], ["meta", "party"]],
    }),
  );
  await waitFor(() => expect(screen.getByLabelText("party")).toBeChecked());
});

it("copies what is ticked, and sends a retry under the same number", async () => {
  const { asked, container } = open({}, { [`POST ${P}copy/`]: new Answer(503, { detail: "Busy." }) });
  const sent = () => asked.filter(({ path }) => path === `${P}copy/`).map(({ body }) => body);
  await userEvent.click(screen.getByLabelText("the texts"));
  await expectAccessible(container);
  await userEvent.click(screen.getByRole("button", { name: "Copy the project" }));
  await screen.findByText(/Busy/);
  await userEvent.click(screen.getByRole("button", { name: "Copy the project" }));
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[0]).toEqual({
    name: "Committee stance (copy)",
    members: false,
    texts: true,
    client_id: expect.any(String),
  });
  expect(sent()[1]).toEqual(sent()[0]);
});

it("is transferred to another admin alone", async () => {
  const { asked } = open({}, { [`POST ${P}transfer/`]: { ...PROJECT, owner: "Bea" } });
  const select = await screen.findByLabelText("Transfer it to");
  expect(within(select).getAllByRole("option")).toHaveLength(2);
  await userEvent.selectOptions(select, "Bea (bea)");
  await userEvent.click(screen.getByRole("button", { name: "Transfer the project" }));
  const dialog = screen.getByRole("dialog");
  expect(dialog).toHaveTextContent("Nobody's role changes: Ada stays");
  await userEvent.click(within(dialog).getByRole("button", { name: "Transfer the project" }));
  await waitFor(() => expect(asked.at(-1)?.body).toEqual({ member: "m2" }));
});

it("makes a webhook, shows its secret once, and says of each delivery how it went", async () => {
  const sent = {
    id: "d1",
    event: "release_made",
    state: "sent",
    attempts: 1,
    created_at: "2025-11-28T10:00:00Z",
    tried_at: "2025-11-28T10:00:05Z",
    next_at: null,
    status: 200,
    problem: "",
  };
  const waits = {
    ...sent,
    id: "d2",
    event: "test",
    state: "waiting",
    status: null,
    problem: "Connection refused.",
  };
  const late = { ...waits, next_at: "2025-11-28T10:05:00Z" };
  const events = ["batch_complete", "release_made"];
  const webhook = { id: "w1", url: "https://example.org/quorum", events, created_at: "2025-11-28T09:00:00Z" };
  let webhooks: object[] = [];
  const { asked, container } = open(
    {},
    {
      [`GET ${P}webhooks/`]: () => webhooks,
      [`POST ${P}webhooks/`]: () => {
        webhooks = [{ ...webhook, deliveries: [late, sent] }];
        return new Answer(201, { ...webhook, deliveries: [], secret: "the-secret" });
      },
      "POST /api/deliveries/d1/again/": sent,
      "POST /api/webhooks/w1/test/": new Answer(201, sent),
    },
  );
  expect(await screen.findByText("There is none.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Make a webhook" }));
  const form = within(screen.getByRole("form", { name: "Make a webhook" }));
  await userEvent.type(form.getByLabelText("Address"), "https://example.org/quorum");
  await userEvent.click(form.getByLabelText("A round opened its batch, or failed"));
  await userEvent.click(form.getByRole("button", { name: "Make the webhook" }));
  expect(await screen.findByText("the-secret")).toBeVisible();
  expect(asked.find(({ method, path }) => method === "POST" && path === `${P}webhooks/`)?.body).toEqual({
    url: "https://example.org/quorum",
    events,
  });
  expect(await screen.findByText(/^Not sent .* Connection refused\. Next try/)).toBeVisible();
  expect(screen.getByText(/^Sent .*: 200\.$/)).toBeVisible();
  await expectAccessible(container);
  await userEvent.click(screen.getByRole("button", { name: /^Send again: A release is made/ }));
  await userEvent.click(screen.getByRole("button", { name: /^Send a test/ }));
  await waitFor(() => expect(asked.map(({ path }) => path)).toContain("/api/webhooks/w1/test/"));
  expect(asked.map(({ path }) => path)).toContain("/api/deliveries/d1/again/");
});
