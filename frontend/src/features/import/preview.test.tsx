import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { expectAccessible } from "../../test/admin";
import { ALIVE, FakeUpload, NOTHING, open, PREVIEW, pick } from "../../test/imports";
import type { ImportPreview } from "./api";

beforeEach(() => {
  FakeUpload.made = 0;
  FakeUpload.preview = [200, PREVIEW];
  FakeUpload.previewed = [];
  vi.stubGlobal("XMLHttpRequest", FakeUpload);
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

  it("lets another sheet of a workbook be read, with columns of its own", async () => {
    const report = { ...PREVIEW.report, encoding: null, sheet: "May", sheets: ["May", "June"] };
    FakeUpload.preview = [200, { ...PREVIEW, format: "xlsx", report }];
    open([]);
    await pick(new File(["PK"], "poll.xlsx"));
    expect(await screen.findByLabelText("Sheet")).toHaveDisplayValue("The first one: May");
    expect(screen.queryByLabelText("Encoding")).toBeNull();
    await userEvent.selectOptions(screen.getByLabelText("Text to label"), "party");
    await waitFor(() => expect(FakeUpload.previewed.at(-1)?.get("columns")).toBe('{"text":"party"}'));
    await userEvent.selectOptions(screen.getByLabelText("Sheet"), "June");
    await waitFor(() => expect(FakeUpload.previewed.at(-1)?.get("sheet")).toBe("June"));
    expect(FakeUpload.previewed.at(-1)?.get("columns")).toBeNull();
  });

  it("gives all listed faults as a file, and shows the first of them", async () => {
    const errors = Array.from({ length: 150 }, (_, at) => ({
      line: at + 1,
      file: "poll.csv",
      field: "text",
      message: "Empty text.",
    }));
    FakeUpload.preview = [200, { ...PREVIEW, report: { ...PREVIEW.report, errors, n_errors: 150 } }];
    open([]);
    await pick();
    expect(await screen.findByText("What could not be read: the first 100 of 150")).toBeVisible();
    const file = screen.getByRole("link", { name: "All of them as CSV" });
    const lines = decodeURIComponent(file.getAttribute("href") ?? "").split("\r\n");
    expect(lines.slice(1, 3)).toEqual(["poll.csv,1,text,Empty text.", "poll.csv,2,text,Empty text."]);
    expect(lines).toHaveLength(152);
  });

  it("sends a workbook and a Parquet file whole, however large", async () => {
    open([]);
    await pick(new File(["PAR1", "x".repeat(9 * 1024 ** 2)], "large.parquet"));
    await waitFor(() => expect(FakeUpload.previewed).toHaveLength(1));
    expect(FakeUpload.previewed[0]?.get("is_cut")).toBeNull();
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

describe("spans of other tools", () => {
  const CATEGORIES = [
    { key: "person", name: "Person" },
    { key: "place", name: "Place" },
  ];
  const LABELS: ImportPreview["labels"] = [
    { name: "LOC", n: 2, category: null },
    { name: "person", n: 5, category: "person" },
  ];

  it("names the labels that are no category, and sends what was chosen for them", async () => {
    FakeUpload.preview = [200, { ...PREVIEW, labels: LABELS, categories: CATEGORIES, imports: false }];
    const { container } = open([]);
    await pick();
    const part = await screen.findByRole("region", { name: "What the labels of spans become" });
    expect(part).toHaveTextContent("1 label of the file is no category of the codebook: LOC.");
    expect(within(part).getByLabelText("person")).toHaveDisplayValue("Person");
    expect(within(part).getByLabelText("LOC")).toHaveAccessibleDescription("2 spans");
    await expectAccessible(container);
    await userEvent.selectOptions(within(part).getByLabelText("LOC"), "Place");
    await waitFor(() => expect(FakeUpload.previewed.at(-1)?.get("categories")).toBe('{"LOC":"place"}'));
    await userEvent.selectOptions(within(part).getByLabelText("LOC"), "Left out");
    await waitFor(() => expect(FakeUpload.previewed.at(-1)?.get("categories")).toBe('{"LOC":""}'));
  });

  it("says what is missing where the codebook marks no spans", async () => {
    FakeUpload.preview = [200, { ...PREVIEW, labels: LABELS, imports: false }];
    open([]);
    await pick();
    expect(await screen.findByText(/the published codebook has no categories of spans/)).toBeVisible();
  });
});
