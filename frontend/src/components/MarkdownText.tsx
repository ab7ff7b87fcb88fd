import { memo, type ReactNode } from "react";
import ReactMarkdown, { type Components, type ExtraProps, type Options } from "react-markdown";
import remarkGfm from "remark-gfm";
import { TableScroll } from "./TableCard";

/** What neither codebooks nor cards mean by its marks: they stay as written. */
const UNUSED = [
  "gfmFootnoteCall",
  "gfmFootnoteDefinition",
  "gfmPotentialFootnoteCall",
  "htmlFlow",
  "tasklistCheck",
];
const BLOCKS = [
  ...["blockQuote", "codeFenced", "codeIndented", "definition", "headingAtx"],
  ...["list", "setextUnderline", "table", "thematicBreak"],
];

/** A plugin that reads Markdown without some of its constructs. */
function without(names: readonly string[]) {
  return function (this: { data: () => { micromarkExtensions?: object[] } }) {
    const data = this.data();
    data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: names } }];
  };
}

const OF_DOCUMENT = [remarkGfm, without(UNUSED)] as Options["remarkPlugins"];
/** A prompt that begins with "1." is no list. */
const OF_LINE = [remarkGfm, without([...UNUSED, ...BLOCKS])] as Options["remarkPlugins"];

const ELEMENTS: Components = {
  a: ({ href, children }) => <Address href={href}>{children}</Address>,
  img: ({ src, alt }) => (
    <>
      !<Address href={String(src)}>{alt}</Address>
    </>
  ),
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by key.
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  table: ({ node, children }) => (
    <TableScroll title={`Table: ${(node ? headsOf(node) : []).join(", ")}`}>
      <table className="table">{children}</table>
    </TableScroll>
  ),
  th: ({ node, children }) =>
    // A head of no words is none.
    children === undefined ? (
      <td />
    ) : (
      <th scope="col" className={sideOf(node)}>
        {children}
      </th>
    ),
  td: ({ node, children }) => <td className={sideOf(node)}>{children}</td>,
};

export interface MarkdownProps {
  text: string;
  /** What a first heading (#) becomes, where the text is a document of its own: 2 to 6. Left out, headings start below a card's. */
  top?: number;
  isLine?: boolean;
}

/** Markdown as elements. Raw HTML stays text. */
const MarkdownText = memo(function MarkdownText({ text, isLine, top }: MarkdownProps) {
  const headings = [1, 2, 3, 4, 5, 6].map((level) => [
    `h${level}`,
    `h${top ? Math.min(6, top + level - 1) : level <= 2 ? 3 : 4}`,
  ]);
  return (
    <ReactMarkdown
      remarkPlugins={isLine ? OF_LINE : OF_DOCUMENT}
      components={{
        ...ELEMENTS,
        ...Object.fromEntries(headings),
        ...(isLine && { p: ({ children }) => <>{children}</> }),
      }}
      urlTransform={(url) => url}
    >
      {text}
    </ReactMarkdown>
  );
});

export default MarkdownText;

/** Only addresses that open a page or a mail are links: a script's address stays text. */
function Address({ href = "", children }: { href?: string; children?: ReactNode }) {
  if (!/^(https?:\/\/|mailto:)/i.test(href))
    return (
      <>
        [{children}]({href})
      </>
    );
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

type Element = NonNullable<ExtraProps["node"]>;
type Node = Element["children"][number];

function sideOf(node: ExtraProps["node"]): string | undefined {
  return node?.properties.align === "right" ? "number" : undefined;
}

function headsOf(node: Node): string[] {
  if (!("children" in node)) return [];
  return node.tagName === "th" ? [wordsOf(node)] : node.children.flatMap(headsOf);
}

function wordsOf(node: Node): string {
  if ("children" in node) return node.children.map(wordsOf).join("");
  return node.type === "text" ? node.value : "";
}
