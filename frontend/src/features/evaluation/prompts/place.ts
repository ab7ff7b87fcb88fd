/** Where a line and column, both from 1 and in code points, stand in a text: its place for a selection. */
export function placeOf(text: string, line: number, column: number): number {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const own = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("");
  return Math.min(text.length, before + own.length);
}
