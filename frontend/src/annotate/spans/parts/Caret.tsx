import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
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
  const size = useSize(root);
  // biome-ignore lint/correctness/useExhaustiveDependencies(layout): new labels move the text
  // biome-ignore lint/correctness/useExhaustiveDependencies(size): and so do other line breaks, and blocks that come to be laid out
  useLayoutEffect(() => {
    const rect = root.current && caretRect(root.current, model, at);
    if (!line.current || !root.current) return;
    line.current.hidden = !rect;
    if (!rect) return;
    const outer = root.current.getBoundingClientRect();
    line.current.style.transform = `translate(${rect.left - outer.left}px, ${rect.top - outer.top}px)`;
    line.current.style.height = `${rect.height}px`;
  }, [root, model, at, layout, size]);
  return <span className="span-caret" ref={line} aria-hidden="true" hidden />;
}

function useSize(root: RefObject<HTMLElement | null>): string {
  const [size, setSize] = useState("");
  // Not a layout effect: this is drawn within the root, whose ref is set only after those of its children have run.
  useEffect(() => {
    if (!root.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize(`${entry.contentRect.width} ${entry.contentRect.height}`);
    });
    observer.observe(root.current);
    return () => observer.disconnect();
  }, [root]);
  return size;
}
