import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Answer, expectAccessible, renderScreen, serve } from "../../test/admin";
import { STAGES } from "../../test/fixtures";
import {
  ALIVE,
  choose,
  DONE,
  FAILED,
  FakeUpload,
  NOTHING,
  OPTIONS,
  open,
  PREVIEW,
  pick,
} from "../../test/imports";
import { SPANS_ONLY } from "../../test/rounds";
import type { ImportJob, ImportReport } from "./api";
import { Component } from "./index";

beforeEach(() => {
  FakeUpload.made = 0;
  FakeUpload.preview = [200, PREVIEW];
  FakeUpload.previewed = [];
  vi.stubGlobal("XMLHttpRequest", FakeUpload);
});

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
    expect(await screen.findByText("22,018")).toBeVisible();
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
  expect(await within(card).findByText("22,018")).toBeVisible();
  // It stays above the form when it has ended.
  const form = screen.getByRole("form", { name: "Import a file" });
  expect(card.compareDocumentPosition(form) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});
