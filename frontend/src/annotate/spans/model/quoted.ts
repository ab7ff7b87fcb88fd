const LENGTH = 40;

/** As the server's (codebook/texts.py): “The words by which a message names a…”, one line, cut between words. */
export function quoted(words: string): string {
  const points = [...words.slice(0, 20 * LENGTH)].slice(0, 10 * LENGTH).join("");
  const line = [...points.replaceAll(/[ \t\n\r\f\v]+/g, " ")];
  if (line.length <= LENGTH) return `“${line.join("")}”`;
  const last = line.lastIndexOf(" ", LENGTH);
  return `“${line.slice(0, last > 0 ? last : LENGTH).join("")}…”`;
}
