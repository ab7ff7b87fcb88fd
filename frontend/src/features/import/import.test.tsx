import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import { STAGES } from "../../test/fixtures";
import { SPANS_ONLY } from "../rounds/examples";
import type { ImportJob } from "./api";
import { Component } from "./index";

const ALIVE = {
  broker: true,
  models: { alive: true, seen_seconds_ago: 1 },
  light: { alive: true, seen_seconds_ago: 1 },
};

const DONE: ImportJob = {
  id: "i1",
  filename: "pressconf.zip",
  format: "auto",
  state: "done",
  progress: {},
  options: {},
  report: {
    documents: 58,
    utterances: 3152,
    items: 24770,
    kept: 22018,
    left_out: { too_short: 201, too_long: 2551 },
    left_out_utterances: { too_short: 185, too_long: 113 },
    skipped_lines: 0,
    splitter: { name: "blank", version: "3.8.18" },
    errors: [],
    n_errors: 0,
    seconds: 8.24,
  },
  created_at: "2025-11-27T09:00:00Z",
  finished_at: "2025-11-27T09:00:09Z",
};

const FAILED: ImportJob = {
  ...DONE,
  id: "i2",
  state: "failed",
  created_at: "2025-11-27T08:00:00Z",
  report: {
    n_errors: 240,
    errors: [
      {
        line: 812,
        file: "utterances.jsonl",
        field: "text",
        message: "Empty text: there is nothing to label.",
      },
      { line: null, file: "pressconf.zip", field: null, message: "The file is empty." },
    ],
  },
};

/** The browser's upload, driven by the test. */
class FakeUpload extends EventTarget {
  static last: FakeUpload;
  static made = 0;
  upload = new EventTarget();
  status = 0;
  responseText = "";
  headers: Record<string, string> = {};
  sent: FormData | null = null;
  constructor() {
    super();
    FakeUpload.last = this;
    FakeUpload.made += 1;
  }
  open = vi.fn();
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(form: FormData) {
    this.sent = form;
  }
  abort() {
    this.dispatchEvent(new Event("abort"));
  }
  async progress(loaded: number, total: number) {
    await act(async () => {
      this.upload.dispatchEvent(new ProgressEvent("progress", { loaded, total }));
    });
  }
  async answer(status: number, body: unknown) {
    await act(async () => {
      this.status = status;
      this.responseText = typeof body === "string" ? body : JSON.stringify(body);
      this.dispatchEvent(new Event("load"));
    });
  }
}

beforeEach(() => {
  FakeUpload.made = 0;
  vi.stubGlobal("XMLHttpRequest", FakeUpload);
});

function open(jobs: unknown, workers: unknown = ALIVE, project = {}, codebooks: unknown = []) {
  const asked = serve({
    "GET /api/projects/p1/codebooks/": codebooks,
    "GET /api/projects/p1/imports/": jobs,
    "GET /api/projects/p1/workers/": workers,
    "GET /api/session/": { csrf: true },
  });
  return { asked, ...renderScreen(Component, project) };
}

const FILE = new File(["{}\n"], "pool.jsonl");

async function choose() {
  await userEvent.upload(await screen.findByLabelText(/Choose (a|another) file/), FILE);
  await userEvent.click(screen.getByRole("button", { name: "Import" }));
  await waitFor(() => expect(FakeUpload.made).toBe(1));
}

describe("import", () => {
  it("teaches when there is no text", async () => {
    const { container } = open([], ALIVE, { pool_size: 0, n_documents: 0 });
    expect(await screen.findByText(/No text yet. Import a corpus/)).toBeVisible();
    expect(screen.getByLabelText("Sentences")).toBeChecked();
    await expectAccessible(container);
  });

  it("takes whole texts where the codebook marks spans, whatever it asks beside", async () => {
    const both = { ...SPANS_ONLY, definition: { ...SPANS_ONLY.definition, stages: STAGES } };
    open([], ALIVE, {}, [both]);
    await waitFor(() => expect(screen.getByLabelText("Documents")).toBeChecked());
  });

  it("takes another unit that is chosen", async () => {
    const { container } = open([], ALIVE, {}, [SPANS_ONLY]);
    await waitFor(() => expect(screen.getByLabelText("Documents")).toBeChecked());
    await userEvent.click(screen.getByText("Source documents and marks in JSONL"));
    expect(screen.getByText(/count Unicode characters/)).toBeVisible();
    await expectAccessible(container);
    await userEvent.click(screen.getByLabelText("Sentences"));
    await choose();
    expect(FakeUpload.last.sent?.get("unit")).toBe("sentence");
  });

  it("counts source documents and marks where a file brought some", async () => {
    const report = { ...DONE.report, sources: 4, marked_items: 8, marks: 120 };
    open([
      { ...DONE, report },
      { ...DONE, id: "i0" },
    ]);
    const figure = (name: string) => screen.getAllByText(name).map((term) => term.nextElementSibling);
    await screen.findByText("Source documents");
    expect(figure("Source documents").map((value) => value?.textContent?.trim())).toEqual(["4"]);
    expect(figure("Items with marks").map((value) => value?.textContent)).toEqual(["8 120 spans"]);
  });

  it("asks for a file before it sends", async () => {
    open([]);
    await userEvent.click(await screen.findByRole("button", { name: "Import" }));
    expect(screen.getByLabelText(/Choose (a|another) file/)).toHaveAccessibleDescription(
      /Choose a file first/,
    );
  });

  it("sends the file with its settings and shows how much is sent", async () => {
    open([]);
    await userEvent.click(await screen.findByText("More settings"));
    await userEvent.click(screen.getByLabelText("Utterances"));
    await userEvent.type(screen.getByLabelText("Least words of a row"), "5");
    await userEvent.click(screen.getByLabelText("Skip them and import the rest"));
    await choose();
    const call = FakeUpload.last;
    expect(call.open).toHaveBeenCalledWith("POST", "/api/projects/p1/imports/");
    expect(call.headers["X-CSRFToken"]).toBe("t");
    expect(Object.fromEntries(call.sent ?? [])).toEqual({
      format: "auto",
      unit: "utterance",
      skip_bad_lines: "true",
      min_tokens: "5",
      file: expect.objectContaining({ name: "pool.jsonl" }),
    });
    await call.progress(5_500_000, 11_000_000);
    expect(screen.getByText("Sending: 5.5 MB of 11.0 MB (50.0 %)")).toBeVisible();
    await call.answer(202, { ...DONE, state: "queued" });
    expect(await screen.findByText("or drop it here")).toBeVisible();
  });

  it("shows a refusal of the server at its field, opened", async () => {
    open([]);
    await choose();
    const errors = { rows: ["The rows of a ConvoKit corpus are utterances."] };
    await FakeUpload.last.answer(400, { detail: "Some fields need mending.", errors });
    await waitFor(() =>
      expect(screen.getByLabelText("A row of the file is")).toHaveAccessibleDescription(/ConvoKit corpus/),
    );
    expect(screen.getByLabelText("A row of the file is")).toBeVisible();
    expect(screen.getByText("pool.jsonl")).toBeVisible();
  });

  it("shows the server's own reason where no worker answers", async () => {
    open([]);
    await choose();
    await FakeUpload.last.answer(409, { code: "worker_down", detail: "The light worker does not run." });
    expect(await screen.findByText("The light worker does not run.")).toBeVisible();
  });

  it("says that a file is too large for the server, which answers with a page", async () => {
    open([]);
    await choose();
    await FakeUpload.last.answer(413, "<html>413</html>");
    expect(await screen.findByText(/error 413/)).toBeVisible();
  });

  it("can be stopped while it sends", async () => {
    open([]);
    await choose();
    await FakeUpload.last.progress(1, 10);
    await userEvent.click(screen.getByRole("button", { name: "Stop sending" }));
    await waitFor(() => expect(screen.queryByText(/Sending/)).toBeNull());
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("does not send where the light worker has stopped, and says so", async () => {
    const { asked } = open([], { ...ALIVE, light: { alive: false, seen_seconds_ago: 40 } });
    const button = await screen.findByRole("button", { name: "Import" });
    await waitFor(() => expect(button).toHaveAccessibleDescription(/stopped \(last seen 40 s ago\)/));
    await userEvent.upload(screen.getByLabelText(/Choose (a|another) file/), FILE);
    await userEvent.click(button);
    expect(asked.some(({ path }) => path === "/api/session/")).toBe(false);
  });

  it("follows a running job until its report", async () => {
    let job: ImportJob = {
      ...DONE,
      state: "running",
      report: null,
      progress: { step: "reading", fraction: 0.4, rows: 70400 },
    };
    open(() => [job]);
    expect(await screen.findByText("Reading: 70,400 rows (40 %)")).toBeVisible();
    job = DONE;
    expect(await screen.findByText("22,018", {}, { timeout: 3000 })).toBeVisible();
    const card = screen.getByRole("article", { name: "Import of pressconf.zip" });
    for (const words of [
      "58",
      "3,152",
      "items of 185 utterances",
      "items of 113 utterances",
      "blank 3.8.18",
      "8.2 s",
    ])
      expect(within(card).getByText(words)).toBeVisible();
  });

  it("names every bad line of the newest import, and says nothing that would not help", async () => {
    const { container } = open([FAILED]);
    expect(await screen.findByRole("article")).toHaveTextContent("Mend what is named below");
    const table = screen.getByRole("table", { name: "What could not be read: the first 2 of 240" });
    expect(table).toBeVisible();
    const [, first, second] = within(table).getAllByRole("row");
    expect(first).toHaveTextContent("812textEmpty text: there is nothing to label.utterances.jsonl");
    expect(second).toHaveTextContent("––The file is empty.");
    await expectAccessible(container);
  });

  it.each([
    [{}, /or choose to skip bad lines/],
    [{ skip_bad_lines: true }, /Mend what is named below/],
  ])("offers to skip bad lines only where that was not done: %o", async (options, words) => {
    const [error] = FAILED.report?.errors ?? [];
    open([{ ...FAILED, options, report: { errors: [error], n_errors: 1 } }]);
    expect(await screen.findByRole("article")).toHaveTextContent(words);
  });

  it("folds an older failure, newest import first", async () => {
    open([FAILED, DONE]);
    const cards = await screen.findAllByRole("article");
    expect(cards[0]).toHaveTextContent("Items kept in the pool");
    expect(cards[1]).toHaveTextContent("Nothing was imported.");
    expect(screen.getByText("The file is empty.")).not.toBeVisible();
    await userEvent.click(screen.getByText("What could not be read: the first 2 of 240"));
    expect(screen.getByText("The file is empty.")).toBeVisible();
  });

  it("says that the list could not be loaded", async () => {
    open(new Answer(500, null));
    expect(await screen.findByText(/list of imports could not be loaded/)).toBeVisible();
  });
});
