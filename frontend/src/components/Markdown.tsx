import { lazy, Suspense } from "react";
import type { MarkdownProps } from "./MarkdownText";

const MarkdownText = lazy(() => import("./MarkdownText"));

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
