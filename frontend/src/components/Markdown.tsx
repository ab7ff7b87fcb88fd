import { lazy, Suspense } from "react";

const MarkdownText = lazy(() => import("./MarkdownText"));

export interface MarkdownProps {
  text: string;
  /** What a first heading (#) becomes, where the text is a document of its own: 2 to 6. Left out, headings start below a card's. */
  top?: number;
  isLine?: boolean;
}

/** Markdown without raw HTML; as it is written until what reads it is loaded. */
export function Markdown(props: MarkdownProps) {
  return (
    <div className="prose">
      <Suspense fallback={<p>{props.text}</p>}>
        <MarkdownText {...props} />
      </Suspense>
    </div>
  );
}

/** One line of it, for prompts and label names. */
export function InlineMarkdown({ text }: { text: string }) {
  return (
    <Suspense fallback={text}>
      <MarkdownText text={text} isLine />
    </Suspense>
  );
}
