import type { Format } from "./api";

interface FormatWords {
  title: string;
  /** Its fields have names of their own, so that no column is chosen for one. */
  hasOwnFields?: boolean;
}

/** The formats that the server reads (ingest/formats.py). */
export const FORMATS: Record<Format, FormatWords> = {
  auto: { title: "As the file shows" },
  convokit: { title: "ConvoKit", hasOwnFields: true },
  jsonl: { title: "JSONL" },
  json: { title: "JSON array" },
  csv: { title: "CSV or TSV" },
  xlsx: { title: "Excel workbook" },
  parquet: { title: "Parquet" },
  dataset: { title: "Hugging Face dataset" },
  texts: { title: "Plain texts (.txt)", hasOwnFields: true },
  label_studio: { title: "Label Studio (JSON)", hasOwnFields: true },
  doccano: { title: "doccano (JSONL)", hasOwnFields: true },
  conll: { title: "CoNLL (a token a line)", hasOwnFields: true },
  brat: { title: "brat (.txt with .ann)", hasOwnFields: true },
};
