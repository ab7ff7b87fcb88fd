export type Cell = string | number;

/** Lines of cells as CSV. */
export function csv(lines: readonly (readonly Cell[])[]): string {
  return `${lines.map((line) => line.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** The address of a file to download. */
export function csvLink(text: string): string {
  return `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
}

const FORMULA_START = /^[=+\-@\t\r\n]/;
/** A plain decimal number cannot be run. */
const NUMBER = /^[-+]?[0-9]+(?:\.[0-9]*)?$/;

/** With an apostrophe before what a spreadsheet would run as a formula: the server's rule (formats/spreadsheet.py). */
export function neutral(text: string): string {
  const starts = FORMULA_START.test(text) || FORMULA_START.test(text.trimStart());
  return starts && !NUMBER.test(text) ? `'${text}` : text;
}

/** Quoted where needed. */
function cell(value: Cell): string {
  if (typeof value === "number") return String(value);
  const plain = neutral(value);
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
