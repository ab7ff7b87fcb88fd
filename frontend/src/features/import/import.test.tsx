import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import { STAGES } from "../../test/fixtures";
import { SPANS_ONLY } from "../../test/rounds";
import type { ImportJob, ImportPreview, ImportReport } from "./api";
import { Component } from "./index";

const ALIVE = {
  broker: true,
  models: { alive: true, seen_seconds_ago: 1 },
  light: { alive: true, seen_seconds_ago: 1 },
};

const NOTHING: ImportReport = {
  ...{ documents: 0, utterances: 0, items: 0, kept: 0, sources: 0, marked_items: 0, marks: 0, rows: null },
  ...{ left_out: { too_short: 0, too_long: 0 }, left_out_utterances: { too_short: 0, too_long: 0 } },
  ...{ skipped_lines: 0, splitter: null, errors: [], n_errors: 0, delimiter: null, columns: [], mapping: [] },
  ...{ existing: 0, skippable: false, seconds: 0.1, limits: null, sha256: "", encoding: null },
};

const OPTIONS: ImportJob["options"] = {
  ...{ format: "auto", unit: "sentence", rows: null, min_tokens: null, max_tokens: null, splitter: "blank" },
  ...{ skip_bad_lines: false, encoding: "auto", delimiter: "auto", number_rows: false, skip_existing: false },
  columns: {},
};

const DONE: ImportJob = {
  id: "i1",
  filename: "pressconf.zip",
  format: "auto",
  state: "done",
  progress: { step: "done", fraction: 1, rows: 3152 },
  options: OPTIONS,
  report: {
    ...NOTHING,
    documents: 58,
    utterances: 3152,
    items: 24770,
    kept: 22018,
    left_out: { too_short: 201, too_long: 2551 },
    left_out_utterances: { too_short: 185, too_long: 113 },
    skipped_lines: 0,
    splitter: { name: "blank", version: "3.8.18", spacy: "3.8.18" },
    errors: [],
    n_errors: 0,
    seconds: 8.24,
  },
  created_at: "2025-11-27T09:00:00Z",
  finished_at: "2025-11-27T09:00:09Z",
  created_by: "Ada",
  undone_at: null,
  undone_by: null,
  keeps: "",
};

const FAILED: ImportJob = {
  ...DONE,
  id: "i2",
  state: "failed",
  created_at: "2025-11-27T08:00:00Z",
  report: {
    ...NOTHING,
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

const PREVIEW: ImportPreview = {
  filename: "pool.jsonl",
  format: "jsonl",
  whole: true,
  rows: 3,
  imports: true,
  estimated: false,
  in_project: 0,
  columns: [
    { name: "id", becomes: "id" },
    { name: "text", becomes: "text" },
    { name: "party", becomes: "meta" },
  ],
  first: [
    {
      ...{ line: 1, id: "a1", text: "Prices rose again.", is_cut: false, speaker: "Ada", document: "a1" },
      ...{ title: "", left_out: "", meta: { party: "left", old: true, seats: -3, tags: ["x", 2] } },
    },
  ],
  report: {
    ...NOTHING,
    ...{ documents: 2, utterances: 3, items: 1234, kept: 1234 },
    encoding: { name: "utf-8", how: "seen" },
    mapping: [
      { field: "id", column: "id", how: "named" },
      { field: "text", column: "text", how: "named" },
    ],
  },
};

/** The browser's upload, driven by the test; what is asked for a preview is answered at once. */
class FakeUpload extends EventTarget {
  static last: FakeUpload;
  static made = 0;
  static preview: [status: number, body: unknown] = [200, PREVIEW];
  static previewed: FormData[] = [];
  isPreview = false;
  upload = new EventTarget();
  status = 0;
  responseText = "";
  headers: Record<string, string> = {};
  sent: FormData | null = null;
  open = vi.fn((_method: string, path: string) => {
    this.isPreview = path.endsWith("/preview/");
    if (this.isPreview) return;
    FakeUpload.last = this;
    FakeUpload.made += 1;
  });
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  send(form: FormData) {
    this.sent = form;
    if (!this.isPreview) return;
    FakeUpload.previewed.push(form);
    void this.answer(...FakeUpload.preview);
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
  FakeUpload.preview = [200, PREVIEW];
  FakeUpload.previewed = [];
  vi.stubGlobal("XMLHttpRequest", FakeUpload);
});

function open(
  jobs: unknown,
  workers: unknown = ALIVE,
  project = {},
  codebooks: unknown = [],
  session: unknown = { csrf: true },
) {
  const asked = serve({
    "GET /api/projects/p1/codebooks/": codebooks,
    "GET /api/projects/p1/imports/": jobs,
    "GET /api/projects/p1/workers/": workers,
    "GET /api/session/": session,
  });
  return { asked, ...renderScreen(Component, project) };
}

const FILE = new File(["{}\n"], "pool.jsonl");

async function pick(file = FILE) {
  await userEvent.upload(await screen.findByLabelText(/Choose (a|another) file/), file);
}

async function choose() {
  await pick();
  await userEvent.click(await screen.findByRole("button", { name: "Import 1,234 items" }));
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

  it("says which columns an import took by choice or guess", async () => {
    const mapping: ImportReport["mapping"] = [
      { field: "id", column: "id", how: "named" },
      { field: "text", column: "Sentence", how: "chosen" },
      { field: "speaker", column: "author", how: "guessed" },
    ];
    open([{ ...DONE, report: { ...NOTHING, mapping } }]);
    const told = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
    await screen.findByText("Sentence");
    expect(told("Text to label")).toBe("Sentence column");
    expect(told("Speaker")).toBe("author column, a guess");
    expect(screen.queryByText("Id")).toBeNull();
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
    await userEvent.type(screen.getByLabelText("Fewest words in a row"), "5");
    await userEvent.click(screen.getByLabelText("Skip bad lines and import the rest"));
    await choose();
    const call = FakeUpload.last;
    expect(call.open).toHaveBeenCalledWith("POST", "/api/projects/p1/imports/");
    expect(call.headers["X-CSRFToken"]).toBe("t");
    expect(Object.fromEntries(call.sent ?? [])).toEqual({
      format: "auto",
      unit: "utterance",
      skip_bad_lines: "true",
      number_rows: "false",
      skip_existing: "false",
      delimiter: "auto",
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
    await FakeUpload.last.answer(400, { detail: "Some fields need to be corrected.", errors });
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
    open([], { ...ALIVE, light: { alive: false, seen_seconds_ago: 40 } });
    const button = await screen.findByRole("button", { name: "Import" });
    await waitFor(() => expect(button).toHaveAccessibleDescription(/stopped \(last seen 40 s ago\)/));
    await pick();
    await userEvent.click(button);
    expect(FakeUpload.made).toBe(0);
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
    expect(await screen.findByRole("article")).toHaveTextContent("Correct what is named below");
    const table = screen.getByRole("table", { name: "What could not be read: the first 2 of 240" });
    expect(table).toBeVisible();
    const [, first, second] = within(table).getAllByRole("row");
    expect(first).toHaveTextContent("812textEmpty text: there is nothing to label.utterances.jsonl");
    expect(second).toHaveTextContent("––The file is empty.");
    await expectAccessible(container);
  });

  it.each([
    [{}, true, /or choose to skip bad lines/],
    [{}, false, /Correct what is named below/],
    [{ skip_bad_lines: true }, true, /Correct what is named below/],
  ])("offers to skip bad lines only where that helps: %o, %s", async (options, skippable, words) => {
    const [error] = FAILED.report?.errors ?? [];
    const report = { ...NOTHING, errors: error ? [error] : [], n_errors: 1, skippable };
    open([{ ...FAILED, options: { ...OPTIONS, ...options }, report }]);
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

  it("undoes an import after saying what goes", async () => {
    let undone = false;
    const gone = {
      ...DONE,
      undone_at: "2025-11-28T09:00:00Z",
      undone_by: "Ada",
      keeps: "It has already been undone.",
    };
    const asked = serve({
      "GET /api/projects/p1/codebooks/": [],
      "GET /api/projects/p1/imports/": () => [undone ? gone : DONE],
      "GET /api/projects/p1/workers/": ALIVE,
      "POST /api/imports/i1/undo/": () => {
        undone = true;
        return gone;
      },
    });
    const { container } = renderScreen(Component);
    await userEvent.click(await screen.findByRole("button", { name: "Undo this import: pressconf.zip" }));
    const dialog = screen.getByRole("dialog");
    expect(dialog).toHaveTextContent("removes 24,770 items of 58 documents");
    await expectAccessible(container);
    await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(asked.every(({ method }) => method === "GET")).toBe(true);
    await userEvent.click(screen.getByRole("button", { name: "Undo this import: pressconf.zip" }));
    await userEvent.click(screen.getByRole("button", { name: "Undo the import" }));
    expect(await screen.findByText(/by Ada: what it had brought is gone/)).toBeVisible();
  });

  it("says why an import stays", async () => {
    open([{ ...DONE, keeps: "3 of its items were given to people in a batch." }]);
    expect(await screen.findByText(/can't be undone: 3 of its items/)).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Undo/ })).toBeNull();
  });
});

describe("what would come in", () => {
  it("shows items, columns and how the file is read before anything is imported", async () => {
    const { container } = open([]);
    await pick();
    expect(await screen.findByRole("button", { name: "Import 1,234 items" })).toBeEnabled();
    const shown = screen.getByRole("region", { name: "Preview of the import" });
    expect(shown).toHaveTextContent("1,234 items from 3 rows of 2 documents, all for the pool.");
    expect(shown).not.toHaveTextContent("a document of its own");
    expect(within(shown).getByLabelText("Text to label")).toHaveDisplayValue("text");
    expect(within(shown).getByLabelText("Id")).toHaveDisplayValue("id");
    expect(within(shown).getByLabelText("Other columns, and what each becomes")).toHaveTextContent(
      /^party\s*kept beside the text$/,
    );
    const row = within(shown).getByRole("row", { name: /a1/ });
    for (const words of ["Prices rose again.", "left", "yes", "−3", "x, 2"])
      expect(within(row).getByText(words)).toBeVisible();
    expect(within(shown).getByLabelText("Encoding")).toHaveAccessibleDescription("Seen in the file.");
    expect(FakeUpload.made).toBe(0);
    await expectAccessible(container);
  });

  it("says what limits leave out, and that counts are an estimate", async () => {
    const report = {
      ...PREVIEW.report,
      ...{ items: 24_600, kept: 19_600, left_out: { too_short: 200, too_long: 4_800 } },
      ...{
        left_out_utterances: { too_short: 185, too_long: 113 },
        limits: { min_tokens: 4, max_tokens: 500 },
      },
    };
    FakeUpload.preview = [200, { ...PREVIEW, estimated: true, report }];
    open([]);
    await pick();
    const words =
      "20.3 % would be left out of the pool and stay as context: 113 rows of more than 500 words, and 185 rows of fewer than 4 words.";
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.getByRole("button", { name: "Import about 24,600 items" })).toBeEnabled();
  });

  it("says how rows come to have context, where each is a document of its own", async () => {
    const report = { ...PREVIEW.report, utterances: 3, documents: 3 };
    FakeUpload.preview = [200, { ...PREVIEW, report }];
    open([]);
    await pick();
    expect(await screen.findByText(/Every row is a document of its own/)).toHaveTextContent(
      "A column with one value for rows that belong together gives it: name it document_id, or choose it as “Document or conversation”.",
    );
  });

  it("names faults, and offers to skip what stops the import", async () => {
    const errors = [{ line: 3, file: "pool.jsonl", field: "text", message: "Empty text." }];
    const report = { ...PREVIEW.report, errors, n_errors: 3, skippable: true };
    FakeUpload.preview = [200, { ...PREVIEW, imports: false, in_project: 2, report }];
    open([]);
    await pick();
    expect(await screen.findByText("Empty text.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Nothing to import" })).toBeDisabled();
    await userEvent.click(screen.getByRole("button", { name: "Skip the 2 rows that the project has" }));
    await userEvent.click(screen.getByRole("button", { name: "Skip bad lines" }));
    await waitFor(() => expect(FakeUpload.previewed.at(-1)?.get("skip_existing")).toBe("true"));
    expect(FakeUpload.previewed.at(-1)?.get("skip_bad_lines")).toBe("true");
    expect(screen.getByLabelText("Skip bad lines and import the rest")).toBeChecked();
  });

  it("reads the file anew with another encoding", async () => {
    FakeUpload.preview = [
      200,
      { ...PREVIEW, report: { ...PREVIEW.report, encoding: { name: "cp1252", how: "guessed" } } },
    ];
    open([]);
    await pick();
    expect(
      await screen.findByRole("option", { name: "As the file shows: Western European (Windows-1252)" }),
    ).toBeVisible();
    expect(screen.getByLabelText("Encoding")).toHaveAccessibleDescription(/a guess/);
    await userEvent.selectOptions(screen.getByLabelText("Encoding"), "Cyrillic (Windows-1251)");
    await waitFor(() => expect(FakeUpload.previewed.at(-1)?.get("encoding")).toBe("cp1251"));
    expect(FakeUpload.previewed[0]?.get("encoding")).toBeNull();
  });

  const TWEETS: ImportPreview = {
    ...PREVIEW,
    columns: [
      { name: "tweet_id", becomes: "id" },
      { name: "Sentence", becomes: "meta" },
      { name: "tweet", becomes: "text" },
      { name: "who", becomes: "meta" },
    ],
    report: {
      ...PREVIEW.report,
      mapping: [
        { field: "id", column: "tweet_id", how: "guessed" },
        { field: "text", column: "tweet", how: "guessed" },
      ],
    },
  };

  it("shows which column is guessed for a field, and takes another one", async () => {
    FakeUpload.preview = [200, TWEETS];
    const { container } = open([]);
    await pick();
    const text = await screen.findByLabelText("Text to label");
    expect(text).toHaveDisplayValue("tweet");
    expect(text).toHaveAccessibleDescription(/A guess by its name/);
    await userEvent.selectOptions(text, "Sentence");
    await waitFor(() => expect(FakeUpload.previewed.at(-1)?.get("columns")).toBe('{"text":"Sentence"}'));
    expect(text).toHaveAccessibleDescription("As you chose.");
    await userEvent.click(screen.getByText("Document, speaker, time and others"));
    await userEvent.selectOptions(screen.getByLabelText("Speaker"), "who");
    await userEvent.selectOptions(screen.getByLabelText("Id"), "No column");
    const chosen = { text: "Sentence", speaker: "who", id: "" };
    await waitFor(() =>
      expect(JSON.parse(String(FakeUpload.previewed.at(-1)?.get("columns")))).toEqual(chosen),
    );
    // A column is one field: the one that was chosen last.
    await userEvent.selectOptions(screen.getByLabelText("Title of the document"), "who");
    await expectAccessible(container);
    await userEvent.click(await screen.findByRole("button", { name: "Import 1,234 items" }));
    await waitFor(() => expect(FakeUpload.made).toBe(1));
    expect(JSON.parse(String(FakeUpload.last.sent?.get("columns")))).toEqual({
      ...{ text: "Sentence", id: "", title: "who" },
    });
  });

  it("forgets the chosen columns with another file", async () => {
    FakeUpload.preview = [200, TWEETS];
    open([]);
    await pick();
    await userEvent.selectOptions(await screen.findByLabelText("Text to label"), "Sentence");
    await waitFor(() => expect(FakeUpload.previewed.at(-1)?.get("columns")).toBe('{"text":"Sentence"}'));
    await pick(new File(["{}\n"], "other.jsonl"));
    await waitFor(() => expect(screen.getByLabelText("Text to label")).toHaveDisplayValue("tweet"));
    await waitFor(() => expect(FakeUpload.previewed.at(-1)?.get("columns")).toBeNull());
  });

  it("asks for the column with the texts where none is known", async () => {
    const errors = [{ line: 1, file: "pool.csv", field: "text", message: "Missing column 'text'." }];
    const report = { ...NOTHING, errors, n_errors: 1 };
    const columns: ImportPreview["columns"] = [{ name: "Aussage", becomes: "meta" }];
    FakeUpload.preview = [200, { ...PREVIEW, imports: false, columns, first: [], report }];
    open([]);
    await pick();
    const text = await screen.findByLabelText("Text to label");
    expect(text).toHaveDisplayValue("No column");
    expect(text).toHaveAccessibleDescription("Choose the column with the texts.");
  });

  it("has nothing to choose for a ConvoKit corpus", async () => {
    FakeUpload.preview = [200, { ...PREVIEW, format: "convokit" }];
    open([]);
    await pick();
    expect(await screen.findByLabelText("Other columns, and what each becomes")).toHaveTextContent(
      /text\s*Text to label/,
    );
    expect(screen.queryByLabelText("Text to label")).toBeNull();
  });

  it("sends only the beginning of a large text", async () => {
    FakeUpload.preview = [200, { ...PREVIEW, whole: false, rows: 50_000 }];
    open([]);
    await pick(new File(["x".repeat(9 * 1024 ** 2)], "large.csv"));
    expect(await screen.findByRole("button", { name: "Import the whole file" })).toBeEnabled();
    expect(screen.getByText(/what its first 50,000 rows would bring/)).toBeVisible();
    expect(FakeUpload.previewed[0]?.get("is_cut")).toBe("true");
    expect(FakeUpload.previewed[0]?.get("file")).toHaveProperty("size", 8 * 1024 ** 2);
  });

  it("sends nothing that the server would not take", async () => {
    open([], ALIVE, {}, [], { csrf: true, upload_max_bytes: 2_000_000 });
    await pick(new File(["x".repeat(2_000_001)], "large.csv"));
    await waitFor(() =>
      expect(screen.getByLabelText("Choose another file")).toHaveAccessibleDescription(
        /large.csv has 2.0 MB; 2.0 MB are the most that is taken here. Split it/,
      ),
    );
    expect(FakeUpload.previewed).toEqual([]);
  });
});

it("brings what was begun into sight, and tells the project's new size with its end", async () => {
  let job: ImportJob = { ...DONE, state: "queued", report: null };
  const older = { ...FAILED, filename: "other.csv" };
  serve({
    "GET /api/projects/p1/codebooks/": [],
    "GET /api/projects/p1/imports/": () => (FakeUpload.made === 0 ? [older] : [job, older]),
    "GET /api/projects/p1/workers/": ALIVE,
    "GET /api/session/": { csrf: true },
  });
  renderScreen(Component);
  await choose();
  await FakeUpload.last.answer(202, job);
  const card = await screen.findByRole("article", { name: "Import of pressconf.zip" });
  expect(card).toHaveFocus();
  job = DONE;
  expect(await within(card).findByText("22,018", {}, { timeout: 3000 })).toBeVisible();
  // It stays above the form when it has ended.
  const form = screen.getByRole("form", { name: "Import a file" });
  expect(card.compareDocumentPosition(form) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});
