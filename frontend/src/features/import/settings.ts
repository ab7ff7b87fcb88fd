import type { Format, Unit } from "./api";

/** The form as it is typed. Empty: the server's default. */
export interface Settings {
  format: Format;
  unit: Unit;
  rows: "" | Unit;
  minTokens: string;
  maxTokens: string;
  splitter: string;
  skipBadLines: boolean;
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
  };
}

export function importForm(file: File, settings: Settings): FormData {
  const form = new FormData();
  form.set("format", settings.format);
  form.set("unit", settings.unit);
  form.set("skip_bad_lines", String(settings.skipBadLines));
  for (const [name, value] of [
    ["rows", settings.rows],
    ["min_tokens", settings.minTokens.trim()],
    ["max_tokens", settings.maxTokens.trim()],
    ["splitter", settings.splitter.trim()],
  ] as const)
    if (value) form.set(name, value);
  form.set("file", file);
  return form;
}
