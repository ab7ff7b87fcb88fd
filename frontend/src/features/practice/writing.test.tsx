import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { PracticeDetail, PracticeItem } from "../../api/practice";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import { assignment } from "../../test/fixtures";
import { Component } from "./index";

const SHOWN = assignment("a1");
const ITEM: PracticeItem = {
  item: SHOWN.item,
  answers: null,
  explanation: "",
  explanations: {},
  version: 0,
};
const DETAIL: PracticeDetail = {
  practice: {
    id: "q1",
    number: 1,
    title: "Warm-up",
    pass_mark: 80,
    attempts: 2,
    is_required: false,
    opened_at: null,
    closed_at: null,
    n_items: 1,
    n_keys: 0,
    n_checks: 0,
    people: [],
  },
  codebook: SHOWN.codebook,
  items: [ITEM],
};
const AT = "/api/practices/q1/";
const KEY = `PUT ${AT}items/${ITEM.item.id}/`;

function open(routes: Record<string, unknown>) {
  const asked = serve({
    [`GET ${AT}`]: DETAIL,
    "GET /api/projects/p1/practices/": { practices: [] },
    ...routes,
  });
  const shown = renderScreen(Component, {}, "/q1", "/:practiceId");
  const sent = () => asked.flatMap(({ method, body }) => (["POST", "PUT"].includes(method) ? [body] : []));
  return { ...shown, sent };
}

describe("a practice", () => {
  it("adds drawn items under one name after a lost answer and a reload", async () => {
    const answers = [new Answer(502, { detail: "No answer came." }), { ...DETAIL, added: 10 }];
    const routes = { [`POST ${AT}items/`]: () => answers.shift() };
    const { unmount, sent } = open(routes);
    await userEvent.click(await screen.findByLabelText("Drawn from the pool"));
    await userEvent.click(screen.getByRole("button", { name: "Add" }));
    await screen.findByRole("alert");
    const [first] = sent();
    unmount();
    const again = open(routes);
    await userEvent.click(await screen.findByRole("button", { name: "Add" }));
    expect(await screen.findByText("10 items added.")).toBeVisible();
    expect(again.sent()).toEqual([first]);
    expect(first).toMatchObject({ source: "pool", client_id: expect.any(String) });
  });

  it("knows its own key again after a lost answer", async () => {
    let stored: PracticeDetail = DETAIL;
    const { sent } = open({
      [`GET ${AT}`]: () => stored,
      [KEY]: ({ body }: { body: { answers: PracticeItem["answers"]; explanation: string } }) => {
        stored = {
          ...DETAIL,
          items: [{ ...ITEM, answers: body.answers, explanation: body.explanation, version: 1 }],
        };
        return new Answer(409, { detail: "Somebody wrote this key meanwhile.", code: "stale" });
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: /Write the key of/ }));
    const questions = within(screen.getByRole("region", { name: /Key of/ }));
    await userEvent.click(questions.getByRole("button", { name: "Ambiguous" }));
    await userEvent.type(questions.getByLabelText(/Explanation/), "It names a rate.");
    await userEvent.click(questions.getByRole("button", { name: "Save the key" }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    await waitFor(() => expect(questions.queryByRole("alert")).toBeNull());
    expect(screen.queryByRole("button", { name: "Take their key" })).toBeNull();
    expect(questions.getByLabelText(/Explanation/)).toHaveValue("It names a rate.");
    await userEvent.click(questions.getByRole("button", { name: "Save the key" }));
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent()[1]).toMatchObject({ base_version: 1 });
  });

  it("lets two admins choose between their keys, and loses neither", async () => {
    const theirs = { answers: { opinion: "no" }, explanation: "It reports.", version: 1 };
    let stored: PracticeDetail = DETAIL;
    const { container, sent } = open({
      [`GET ${AT}`]: () => stored,
      [KEY]: ({ body }: { body: { base_version: number } }) => {
        if (body.base_version === stored.items[0]?.version) return stored;
        return new Answer(409, { detail: "Somebody wrote this key meanwhile.", code: "stale" });
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: /Write the key of/ }));
    const questions = within(screen.getByRole("region", { name: /Key of/ }));
    await userEvent.click(questions.getByRole("button", { name: "Ambiguous" }));
    await userEvent.type(questions.getByLabelText(/Explanation/), "It names a rate.");
    stored = { ...DETAIL, items: [{ ...ITEM, ...theirs }] };
    await userEvent.click(questions.getByRole("button", { name: "Save the key" }));
    expect(await screen.findByText("Somebody wrote this key meanwhile.")).toBeVisible();
    expect(questions.getByText("Explanation: It reports.")).toBeVisible();
    expect(questions.getByLabelText(/Explanation/)).toHaveValue("It names a rate.");
    await expectAccessible(container);
    await userEvent.click(questions.getByRole("button", { name: "Put my key in its place" }));
    await userEvent.click(questions.getByRole("button", { name: "Save the key" }));
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent()[1]).toMatchObject({ base_version: 1, explanation: "It names a rate." });
  });
});
