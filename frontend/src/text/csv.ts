export type Cell = string | number;

/** Lines of cells as CSV. */
export function csv(lines: readonly (readonly Cell[])[]): string {
  return `${lines.map((line) => line.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** The address of a file to download. */
export function csvLink(text: string): string {
  return `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
}

/** Quoted where needed; a text that a spreadsheet would run as a formula is made a plain one. */
function cell(value: Cell): string {
  if (typeof value === "number") return String(value);
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
