/** Tables as CSV to download: full precision, and no cell that a spreadsheet would run. */

export type Cell = string | number | null;

export function csvOf(lines: readonly (readonly Cell[])[]): string {
  return `${lines.map((line) => line.map(written).join(",")).join("\r\n")}\r\n`;
}

export function csvHref(csv: string): string {
  return `data:text/csv;charset=utf-8,${encodeURIComponent(csv)}`;
}

/** Quoted where needed; a text that a spreadsheet would run as a formula is made a plain one. */
function written(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
