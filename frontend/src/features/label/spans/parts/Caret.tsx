import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { Layout } from "../model/layout";
import type { TextModel } from "../model/textModel";
import { caretRect } from "../places";

interface CaretProps {
  root: RefObject<HTMLElement | null>;
  model: TextModel;
  /** Code points. */
  at: number;
  layout: Layout;
}

/** The caret of a text that is marked, not edited: browsers draw none there. Seen while the text has the focus. */
export function Caret({ root, model, at, layout }: CaretProps) {
  const line = useRef<HTMLSpanElement>(null);
  const width = useWidth(root);
  // biome-ignore lint/correctness/useExhaustiveDependencies(layout): new labels move the text
  // biome-ignore lint/correctness/useExhaustiveDependencies(width): and so do other line breaks
  useLayoutEffect(() => {
    const rect = root.current && caretRect(root.current, model, at);
    if (!line.current || !root.current) return;
    line.current.hidden = !rect;
    if (!rect) return;
    const outer = root.current.getBoundingClientRect();
    line.current.style.transform = `translate(${rect.left - outer.left}px, ${rect.top - outer.top}px)`;
    line.current.style.height = `${rect.height}px`;
  }, [root, model, at, layout, width]);
  return <span className="span-caret" ref={line} aria-hidden="true" hidden />;
}

function useWidth(root: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!root.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(root.current);
    return () => observer.disconnect();
  }, [root]);
  return width;
}
