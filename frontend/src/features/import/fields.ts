import type { Becomes, ColumnUse, RowField } from "./api";

/** The fields of a row, as a form names them; the first two are needed. */
export const FIELDS: Record<RowField, string> = {
  text: "Text to label",
  id: "Id",
  document_id: "Document or conversation",
  speaker: "Speaker",
  timestamp: "Time, which orders rows",
  reply_to: "Id of the row that it answers",
  position: "Place in the document",
  title: "Title of the document",
  date: "Date of the document",
};

export const NEEDED: readonly RowField[] = ["text", "id"];
export const OTHERS = (Object.keys(FIELDS) as RowField[]).filter((field) => !NEEDED.includes(field));

export const HOW: Record<ColumnUse["how"], string | undefined> = {
  chosen: "As you chose.",
  named: undefined,
  guessed: "A guess by its name. Check that it is right.",
};

/** What a column becomes that nothing can be chosen for. */
export function becomesWords(becomes: Becomes): string {
  if (becomes === "meta") return "kept beside the text";
  if (becomes === "sources") return "source documents";
  return becomes === "spans" ? "marks to start from" : FIELDS[becomes];
}
