/** A card's YAML head, without its dashes (null: there is none), and the Markdown below it. */
export function cardParts(markdown: string): { head: string | null; body: string } {
  const match = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(markdown);
  if (!match) return { head: null, body: markdown };
  return { head: match[1] ?? "", body: markdown.slice(match[0].length) };
}
