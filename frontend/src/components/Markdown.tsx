import { Fragment, type ReactNode } from "react";
import { type Block, type Inline, parseInline, parseMarkdown } from "../text/markdown";
import { TableScroll } from "./TableCard";

interface MarkdownProps {
  text: string;
  /** What a first heading (#) becomes, where the text is a document of its own: 2 to 6. */
  top?: number;
}

/** Markdown without raw HTML. A codebook's headings start below the dialog's or card's own. */
export function Markdown({ text, top }: MarkdownProps) {
  const level = top ? (written: number) => Math.min(6, top + written - 1) : belowCard;
  return <div className="prose">{blocks(parseMarkdown(text), level)}</div>;
}

type LevelOf = (written: number) => number;

const belowCard: LevelOf = (written) => (written <= 2 ? 3 : 4);

/** One line of it, for prompts and label names. */
export function InlineMarkdown({ text }: { text: string }) {
  return <>{inlines(parseInline(text))}</>;
}

// The tree of an unchanging text never reorders, so that places are stable keys.
function blocks(tree: Block[], level: LevelOf): ReactNode[] {
  return tree.map((block, place) => <Fragment key={String(place)}>{renderBlock(block, level)}</Fragment>);
}

function inlines(tree: Inline[]): ReactNode[] {
  return tree.map((inline, place) => <Fragment key={String(place)}>{renderInline(inline)}</Fragment>);
}

function renderBlock(block: Block, level: LevelOf): ReactNode {
  switch (block.kind) {
    case "paragraph":
      return <p>{inlines(block.content)}</p>;
    case "heading":
      return <Heading level={level(block.level)}>{inlines(block.content)}</Heading>;
    case "list":
      return <List ordered={block.ordered} items={block.items} />;
    case "quote":
      return <blockquote>{blocks(block.content, level)}</blockquote>;
    case "code":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key.
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      );
    case "table":
      return <Table table={block} />;
    case "rule":
      return <hr />;
  }
}

function Heading({ level, children }: { level: number; children: ReactNode }) {
  const Tag = `h${level}` as "h2" | "h3" | "h4" | "h5" | "h6";
  return <Tag>{children}</Tag>;
}

function Table({ table: { head, toEnd, rows } }: { table: Extract<Block, { kind: "table" }> }) {
  const side = (column: number) => (toEnd[column] ? "number" : undefined);
  return (
    <TableScroll title={`Table: ${head.map(wordsOf).join(", ")}`}>
      <table className="table">
        <thead>
          <tr>
            {head.map((cell, column) =>
              cell.length === 0 ? (
                // A head of no words is none.
                <td key={String(column)} />
              ) : (
                <th key={String(column)} scope="col" className={side(column)}>
                  {inlines(cell)}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr key={String(place)}>
              {row.map((cell, column) => (
                <td key={String(column)} className={side(column)}>
                  {inlines(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function wordsOf(tree: Inline[]): string {
  return tree
    .map((inline) => {
      if ("text" in inline) return inline.text;
      return "content" in inline ? wordsOf(inline.content) : " ";
    })
    .join("");
}

function List({ ordered, items }: { ordered: boolean; items: Inline[][] }) {
  const Tag = ordered ? "ol" : "ul";
  return (
    <Tag>
      {items.map((item, place) => (
        <li key={String(place)}>{inlines(item)}</li>
      ))}
    </Tag>
  );
}

function renderInline(inline: Inline): ReactNode {
  switch (inline.kind) {
    case "text":
      return inline.text;
    case "code":
      return <code>{inline.text}</code>;
    case "strong":
      return <strong>{inlines(inline.content)}</strong>;
    case "emphasis":
      return <em>{inlines(inline.content)}</em>;
    case "link":
      return (
        <a href={inline.href} target="_blank" rel="noreferrer">
          {inlines(inline.content)}
        </a>
      );
    case "break":
      return <br />;
  }
}
