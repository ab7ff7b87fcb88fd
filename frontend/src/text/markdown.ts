/** The Markdown that codebooks and dataset cards use, read into a tree. Raw HTML is text like any other. */
export type Block =
  | { kind: "paragraph"; content: Inline[] }
  | { kind: "heading"; level: number; content: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "quote"; content: Block[] }
  | { kind: "code"; text: string }
  | { kind: "table"; head: Inline[][]; toEnd: boolean[]; rows: Inline[][][] }
  | { kind: "rule" };

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "emphasis"; content: Inline[] }
  | { kind: "link"; href: string; content: Inline[] }
  | { kind: "break" };

const HEADING = /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/;
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const BULLET = /^\s*[-*+]\s+(.*)$/;
const NUMBERED = /^\s*\d{1,9}[.)]\s+(.*)$/;
const FENCE = /^ {0,3}```/;

export function parseMarkdown(source: string): Block[] {
  const lines = source.replaceAll(/\r\n?/g, "\n").split("\n");
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const [block, next] = readBlock(lines, at);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

function readBlock(lines: readonly string[], at: number): [Block | null, number] {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [null, at + 1];
  if (FENCE.test(line)) return readFence(lines, at);
  if (RULE.test(line)) return [{ kind: "rule" }, at + 1];
  const heading = HEADING.exec(line);
  if (heading)
    return [
      { kind: "heading", level: (heading[1] ?? "").length, content: parseInline(heading[2] ?? "") },
      at + 1,
    ];
  if (QUOTE.test(line)) return readQuote(lines, at);
  if (BULLET.test(line)) return readList(lines, at, BULLET, false);
  if (NUMBERED.test(line)) return readList(lines, at, NUMBERED, true);
  if (startsTable(lines, at)) return readTable(lines, at);
  return readParagraph(lines, at);
}

function readFence(lines: readonly string[], at: number): [Block, number] {
  const end = lines.findIndex((line, index) => index > at && FENCE.test(line));
  const until = end === -1 ? lines.length : end;
  return [{ kind: "code", text: lines.slice(at + 1, until).join("\n") }, until + 1];
}

function readQuote(lines: readonly string[], at: number): [Block, number] {
  const inside: string[] = [];
  let next = at;
  for (let match = QUOTE.exec(lines[next] ?? ""); match; match = QUOTE.exec(lines[next] ?? "")) {
    inside.push(match[1] ?? "");
    next += 1;
  }
  return [{ kind: "quote", content: parseMarkdown(inside.join("\n")) }, next];
}

function readList(lines: readonly string[], at: number, marker: RegExp, ordered: boolean): [Block, number] {
  const items: string[] = [];
  let next = at;
  while (next < lines.length) {
    const line = lines[next] ?? "";
    const match = marker.exec(line);
    if (match) items.push(match[1] ?? "");
    else if (/^\s+\S/.test(line) && items.length > 0) items.push(`${items.pop()} ${line.trim()}`);
    else break;
    next += 1;
  }
  return [{ kind: "list", ordered, items: items.map(parseInline) }, next];
}

function readParagraph(lines: readonly string[], at: number): [Block, number] {
  let next = at + 1;
  while (next < lines.length && continuesParagraph(lines, next)) next += 1;
  return [{ kind: "paragraph", content: parseInline(lines.slice(at, next).join("\n")) }, next];
}

function continuesParagraph(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? "";
  const starts = [FENCE, RULE, HEADING, QUOTE, BULLET, NUMBERED];
  return line.trim() !== "" && !starts.some((start) => start.test(line)) && !startsTable(lines, at);
}

/** A line with bars above a line of dashes with as many columns. */
function startsTable(lines: readonly string[], at: number): boolean {
  const [head = "", dashes = ""] = lines.slice(at, at + 2);
  if (!head.includes("|") || !dashes.includes("-")) return false;
  const columns = cellsOf(dashes);
  return columns.every((cell) => /^:?-+:?$/.test(cell)) && columns.length === cellsOf(head).length;
}

function readTable(lines: readonly string[], at: number): [Block, number] {
  const head = cellsOf(lines[at] ?? "");
  const toEnd = cellsOf(lines[at + 1] ?? "").map((cell) => /^-+:$/.test(cell));
  const rows: Inline[][][] = [];
  let next = at + 2;
  while (next < lines.length && (lines[next] ?? "").includes("|")) {
    const cells = cellsOf(lines[next] ?? "");
    rows.push(head.map((_, column) => parseInline(cells[column] ?? "")));
    next += 1;
  }
  return [{ kind: "table", head: head.map(parseInline), toEnd, rows }, next];
}

/** A bar with a backslash before it belongs to the cell. */
function cellsOf(line: string): string[] {
  const inside = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

const PIECES: readonly [RegExp, (match: RegExpExecArray) => Inline][] = [
  [/^\\([!-/:-@[-`{-~])/, (match) => ({ kind: "text", text: match[1] ?? "" })],
  [/^&(lt|gt|amp|quot);/, (match) => ({ kind: "text", text: ENTITIES[match[1] ?? ""] ?? "" })],
  [/^(`+)(?!`)([\s\S]*?[^`])\1(?!`)/, (match) => ({ kind: "code", text: codeWords(match[2] ?? "") })],
  [/^\*\*(?=\S)([\s\S]*?\S)\*\*/, (match) => ({ kind: "strong", content: parseInline(match[1] ?? "") })],
  [/^__(?=\S)([\s\S]*?\S)__(?!\w)/, (match) => ({ kind: "strong", content: parseInline(match[1] ?? "") })],
  [/^\*(?=\S)([\s\S]*?\S)\*/, (match) => ({ kind: "emphasis", content: parseInline(match[1] ?? "") })],
  [/^_(?=\S)([\s\S]*?\S)_(?!\w)/, (match) => ({ kind: "emphasis", content: parseInline(match[1] ?? "") })],
  [/^\[([^\]]+)\]\(([^\s)]+)\)/, (match) => link(match)],
  [/^<(https?:\/\/[^\s<>]+)>/i, ([, href = ""]) => ({ kind: "link", href, content: [plainText(href)] })],
  [/^(?: {2,}|\\)\n/, () => ({ kind: "break" })],
];

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };

const plainText = (text: string): Inline => ({ kind: "text", text });

/** Spaces inside longer marks are there for backticks at the ends. */
function codeWords(inside: string): string {
  return /^ [\s\S]*\S[\s\S]* $/.test(inside) ? inside.slice(1, -1) : inside;
}

export function parseInline(source: string): Inline[] {
  const found: Inline[] = [];
  let plain = "";
  const flush = () => {
    if (plain) found.push({ kind: "text", text: plain });
    plain = "";
  };
  let rest = source;
  while (rest) {
    const piece = readPiece(rest, plain);
    if (piece) {
      flush();
      found.push(piece.inline);
      rest = rest.slice(piece.length);
    } else {
      plain += rest[0];
      rest = rest.slice(1);
    }
  }
  flush();
  return found;
}

function readPiece(rest: string, before: string): { inline: Inline; length: number } | null {
  // An underscore inside a word (minus_5_sentences) is no emphasis.
  if (rest[0] === "_" && /\w$/.test(before)) return null;
  // Nor does code begin inside a row of marks that nothing closes.
  if (rest[0] === "`" && before.endsWith("`")) return null;
  for (const [pattern, make] of PIECES) {
    const match = pattern.exec(rest);
    if (match) return { inline: make(match), length: match[0].length };
  }
  return null;
}

/** Only addresses that open a page or a mail: a script address stays text. */
function link(match: RegExpExecArray): Inline {
  const href = match[2] ?? "";
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return { kind: "text", text: match[0] };
  return { kind: "link", href, content: parseInline(match[1] ?? "") };
}
