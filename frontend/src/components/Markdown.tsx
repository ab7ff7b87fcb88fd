import { Fragment, type ReactNode } from "react";
import { type Block, type Inline, parseInline, parseMarkdown } from "../text/markdown";

/** A codebook's text: Markdown without raw HTML. Headings start below the dialog's or card's own. */
export function Markdown({ text }: { text: string }) {
  return <div className="prose">{blocks(parseMarkdown(text))}</div>;
}

/** One line of it, for prompts and label names. */
export function InlineMarkdown({ text }: { text: string }) {
  return <>{inlines(parseInline(text))}</>;
}

// The tree of an unchanging text never reorders, so that places are stable keys.
function blocks(tree: Block[]): ReactNode[] {
  return tree.map((block, place) => <Fragment key={String(place)}>{renderBlock(block)}</Fragment>);
}

function inlines(tree: Inline[]): ReactNode[] {
  return tree.map((inline, place) => <Fragment key={String(place)}>{renderInline(inline)}</Fragment>);
}

function renderBlock(block: Block): ReactNode {
  switch (block.kind) {
    case "paragraph":
      return <p>{inlines(block.content)}</p>;
    case "heading":
      return block.level <= 2 ? <h3>{inlines(block.content)}</h3> : <h4>{inlines(block.content)}</h4>;
    case "list":
      return <List ordered={block.ordered} items={block.items} />;
    case "quote":
      return <blockquote>{blocks(block.content)}</blockquote>;
    case "code":
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    case "rule":
      return <hr />;
  }
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
