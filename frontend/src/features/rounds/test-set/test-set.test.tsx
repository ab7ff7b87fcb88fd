import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Project } from "../../../api/types";
import { Answer, expectAccessible, PROJECT, renderScreen, serve } from "../../../test/admin";
import type { TestSetPage } from "./api";
import { TestSetCard } from "./TestSetCard";

const STAGES: TestSetPage["stages"] = [
  { key: "opinion", title: "Opinion", labels: ["yes", "no"], head_kind: "one" },
  { key: "mp", title: "Monetary policy", labels: ["yes", "no"], head_kind: "one" },
];
const NONE: TestSetPage = { test_set: null, stages: STAGES };
const ATTACHED: TestSetPage = {
  stages: STAGES,
  test_set: {
    stage: "opinion",
    n: 1500,
    class_counts: { yes: 400, no: 1100 },
    sha256: "0123456789abcdef0123",
    file_name: "held-out.jsonl",
    attached_at: "2025-11-27T09:00:00Z",
    notices: ["Label ambiguous does not occur."],
  },
};
const FILE = new File(['{"id": "a", "text": "t", "label": "yes"}\n'], "held-out.jsonl");

/** The browser's upload: answers what the test says, keeps what was sent. */
class FakeUpload extends EventTarget {
  static answer: [number, unknown] = [201, ATTACHED];
  static sent: FormData[] = [];
  upload = new EventTarget();
  status = 0;
  responseText = "";
  open = vi.fn();
  setRequestHeader = vi.fn();
  send(form: FormData) {
    FakeUpload.sent.push(form);
    const [status, body] = FakeUpload.answer;
    Object.assign(this, { status, responseText: JSON.stringify(body) });
    queueMicrotask(() => this.dispatchEvent(new Event("load")));
  }
}

beforeEach(() => {
  FakeUpload.sent = [];
  vi.stubGlobal("XMLHttpRequest", FakeUpload);
});

const TEST_SET = "/api/projects/p1/test-set/";

function open(shown: unknown, routes: Record<string, unknown> = {}, project: Partial<Project> = {}) {
  const asked = serve({ [`GET ${TEST_SET}`]: shown, "GET /api/session/": { csrf: true }, ...routes });
  return { asked, ...renderScreen(() => <TestSetCard project={{ ...PROJECT, ...project }} />) };
}

async function attach(stage = "Opinion") {
  await userEvent.selectOptions(await screen.findByLabelText("Stage that it is labelled at"), stage);
  await userEvent.upload(screen.getByLabelText("File"), FILE);
  await userEvent.click(screen.getByRole("button", { name: /^(Attach it|Replace the test set)$/ }));
}

it("says what a test set is for, and attaches one at a stage", async () => {
  FakeUpload.answer = [201, ATTACHED];
  const { container } = open(NONE);
  await userEvent.click(await screen.findByRole("button", { name: "Attach a test set" }));
  await expectAccessible(container);
  await attach("Monetary policy");
  expect(await screen.findByText(/1,500 items labelled at “Opinion” \(yes 400, no 1,100\)/)).toBeVisible();
  expect(screen.getByText("Label ambiguous does not occur.")).toBeVisible();
  expect(Object.fromEntries(FakeUpload.sent[0] ?? [])).toEqual({
    stage: "mp",
    file: expect.objectContaining({ name: "held-out.jsonl" }),
  });
});

it("asks for a file before it sends", async () => {
  open(NONE);
  await userEvent.click(await screen.findByRole("button", { name: "Attach a test set" }));
  await userEvent.click(screen.getByRole("button", { name: "Attach it" }));
  expect(screen.getByLabelText("File")).toHaveAccessibleDescription(/Choose a file first/);
  expect(FakeUpload.sent).toEqual([]);
});

it("shows what the server found, line by line, until another file is chosen", async () => {
  const file = [
    'Line 3: label: "perhaps" is not a label of this stage: use yes, no.',
    "Line 9: text: missing.",
  ];
  FakeUpload.answer = [400, { detail: "Some fields need to be corrected.", errors: { file } }];
  open(NONE);
  await userEvent.click(await screen.findByRole("button", { name: "Attach a test set" }));
  await attach();
  const alert = await screen.findByRole("alert");
  expect(within(alert).getByText(/Nothing was attached/)).toBeVisible();
  expect(
    within(alert)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual(file);
  expect(screen.getByLabelText("File")).toHaveAccessibleDescription(/Line 3.*Line 9/);
  await userEvent.upload(screen.getByLabelText("File"), FILE);
  expect(screen.queryByRole("alert")).toBeNull();
});

it("says in the server's words why it was refused as a whole", async () => {
  FakeUpload.answer = [403, { detail: "Your role in this project does not allow that." }];
  open(ATTACHED);
  await userEvent.click(await screen.findByRole("button", { name: "Replace it" }));
  await attach();
  expect(await screen.findByRole("alert")).toHaveTextContent("Your role in this project");
});

it("is removed after saying what is lost", async () => {
  let shown: TestSetPage = ATTACHED;
  const { asked, container } = open(() => shown, { [`DELETE ${TEST_SET}`]: new Answer(204, null) });
  await userEvent.click(await screen.findByRole("button", { name: "Remove it" }));
  expect(screen.getByText(/What earlier rounds measured stays/)).toBeVisible();
  shown = NONE;
  await userEvent.click(screen.getByRole("button", { name: "Remove the test set" }));
  await waitFor(() => expect(asked.some(({ method }) => method === "DELETE")).toBe(true));
  expect(await screen.findByText(/None is attached/)).toBeVisible();
  await expectAccessible(container);
});

it("waits for a codebook", async () => {
  open({ test_set: null, stages: [] }, {}, { active_codebook: null });
  expect(await screen.findByText(/Publish a codebook first/)).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});

it("has nothing to measure where the codebook only marks spans", async () => {
  open({ test_set: null, stages: [] });
  expect(await screen.findByText(/no stage that a model can learn/)).toBeVisible();
  expect(screen.queryByRole("button")).toBeNull();
});
