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

/** Of letters, digits and these signs alone nothing is Markdown, and what reads it need not be loaded. */
const PLAIN = /^(?!.*www\.)[\p{L}\p{N} .,;:?'"’“”()–-]*$/u;

/** One line of it, for prompts and label names. */
export function InlineMarkdown({ text }: { text: string }) {
  if (PLAIN.test(text)) return text;
  return (
    <Suspense fallback={text}>
      <MarkdownText text={text} isLine />
    </Suspense>
  );
}
