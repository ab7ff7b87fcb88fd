import type { Delimiter, Format, RowField, Unit } from "./api";

/** The form as it is typed. Empty: the server's default. */
export interface Settings {
  format: Format;
  unit: Unit;
  rows: "" | Unit;
  minTokens: string;
  maxTokens: string;
  splitter: string;
  skipBadLines: boolean;
  encoding: string;
  delimiter: "auto" | Delimiter;
  /** Of a workbook. Empty: the first one that is shown. */
  sheet: string;
  numberRows: boolean;
  skipExisting: boolean;
  /** The columns that were chosen for fields; an empty name: none is. Other fields are told by the file. */
  columns: Partial<Record<RowField, string>>;
  /** What labels of the file's spans become: the key of a category, or nothing, which leaves them out. */
  categories: Record<string, string>;
}

/** What is marked is a whole text, whatever is asked beside; questions alone are asked about sentences. */
export function usualSettings(hasSpans: boolean): Settings {
  return {
    format: "auto",
    unit: hasSpans ? "document" : "sentence",
    rows: "",
    minTokens: "",
    maxTokens: "",
    splitter: "",
    skipBadLines: false,
    encoding: "",
    delimiter: "auto",
    sheet: "",
    numberRows: false,
    skipExisting: false,
    columns: {},
    categories: {},
  };
}

/** Both are told by the file, unless they are asked for. */
export const ENCODINGS = [
  { value: "utf-8", text: "UTF-8" },
  { value: "utf-16", text: "UTF-16" },
  { value: "cp1252", text: "Western European (Windows-1252)" },
  { value: "mac_roman", text: "Western European (Mac Roman)" },
  { value: "cp850", text: "Western European (DOS 850)" },
  { value: "cp1250", text: "Central European (Windows-1250)" },
  { value: "cp1257", text: "Baltic (Windows-1257)" },
  { value: "cp1251", text: "Cyrillic (Windows-1251)" },
  { value: "koi8_r", text: "Cyrillic (KOI8-R)" },
  { value: "cp1253", text: "Greek (Windows-1253)" },
  { value: "cp1254", text: "Turkish (Windows-1254)" },
  { value: "cp1255", text: "Hebrew (Windows-1255)" },
  { value: "cp1256", text: "Arabic (Windows-1256)" },
  { value: "cp874", text: "Thai (Windows-874)" },
  { value: "cp932", text: "Japanese (Shift-JIS)" },
  { value: "euc_jp", text: "Japanese (EUC-JP)" },
  { value: "gb18030", text: "Chinese (GB18030)" },
  { value: "big5", text: "Chinese (Big5)" },
  { value: "cp949", text: "Korean (CP949)" },
];

export const DELIMITERS: { value: Delimiter; text: string }[] = [
  { value: "comma", text: "commas" },
  { value: "semicolon", text: "semicolons" },
  { value: "tab", text: "tabs" },
  { value: "pipe", text: "pipes, |" },
];

export function importForm(file: File, settings: Settings): FormData {
  const form = new FormData();
  form.set("format", settings.format);
  form.set("unit", settings.unit);
  form.set("skip_bad_lines", String(settings.skipBadLines));
  form.set("number_rows", String(settings.numberRows));
  form.set("skip_existing", String(settings.skipExisting));
  form.set("delimiter", settings.delimiter);
  for (const [name, value] of [
    ["rows", settings.rows],
    ["min_tokens", settings.minTokens.trim()],
    ["max_tokens", settings.maxTokens.trim()],
    ["splitter", settings.splitter.trim()],
    ["encoding", settings.encoding.trim()],
    ["sheet", settings.sheet],
    ["categories", Object.keys(settings.categories).length > 0 ? JSON.stringify(settings.categories) : ""],
    ["columns", Object.keys(settings.columns).length > 0 ? JSON.stringify(settings.columns) : ""],
  ] as const)
    if (value) form.set(name, value);
  form.set("file", file);
  return form;
}
