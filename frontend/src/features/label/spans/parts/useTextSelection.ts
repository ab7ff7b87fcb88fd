import { type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useRef } from "react";
import { isTyping } from "../../../../keyboard/keys";
import type { Layout } from "../model/layout";
import type { Selection } from "../model/types";
import { caretRect, selectionOnPage, selectOnPage } from "../places";
import type { SpanTextProps } from "./SpanText";

/** What only the text on the page can do. */
export interface SpanTextHandle {
  /** Focuses the text; the caret stays where it was. */
  focus: () => void;
  hasFocus: () => boolean;
  /** Where the caret goes by a line of the screen. */
  lineStep: (way: "back" | "on", extends_: boolean) => Selection | null;
  /** Brings a point into view; `focusLabel`, an id, also moves the focus to its label where a label has it now. */
  show: (point: number, focusLabel?: number) => void;
}

/** Keeps the page's selection and the given one the same: the mouse changes the one, keys the other. */
export function useTextSelection(
  root: RefObject<HTMLDivElement | null>,
  props: SpanTextProps,
  layout: Layout,
): void {
  const { model, selection, handle } = props;
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const read = () => root.current && readSelection(root.current, latest.current);
    document.addEventListener("selectionchange", read);
    return () => document.removeEventListener("selectionchange", read);
  }, [root]);
  // biome-ignore lint/correctness/useExhaustiveDependencies(layout): redrawn segments take the page's selection with them
  useLayoutEffect(() => {
    if (!root.current || !selection || !hasFocus(root.current)) return;
    selectOnPage(root.current, model, selection);
  }, [root, model, selection, layout]);
  useImperativeHandle(handle, () => handleOf(root, latest), [root]);
}

function readSelection(root: Element, { model, selection, onSelect }: SpanTextProps): void {
  if (!selection || !onSelect) return;
  const found = selectionOnPage(root, model);
  if (found) {
    if (found.anchor !== selection.anchor || found.head !== selection.head) onSelect(found);
  } else if (selection.anchor !== selection.head && isTyping(document.activeElement)) {
    onSelect({ anchor: selection.head, head: selection.head });
  }
}

function hasFocus(root: Element): boolean {
  return root.contains(document.activeElement);
}

function handleOf(root: RefObject<HTMLDivElement | null>, latest: RefObject<SpanTextProps>): SpanTextHandle {
  return {
    focus: () => {
      root.current?.focus({ preventScroll: true });
      const { model, selection } = latest.current;
      if (root.current && selection) selectOnPage(root.current, model, selection);
    },
    hasFocus: () => root.current !== null && hasFocus(root.current),
    lineStep: (way, extends_) => {
      const { model, selection } = latest.current;
      if (!root.current || !selection) return null;
      selectOnPage(root.current, model, selection);
      const direction = way === "on" ? "forward" : "backward";
      document.getSelection()?.modify(extends_ ? "extend" : "move", direction, "line");
      return selectionOnPage(root.current, model);
    },
    show: (point, focusLabel) => {
      if (!root.current) return;
      if (focusLabel !== undefined && document.activeElement?.matches(".span-tag"))
        root.current
          .querySelector<HTMLElement>(`[data-span="${focusLabel}"]`)
          ?.focus({ preventScroll: true });
      bringIntoView(root.current, latest.current.model, point);
    },
  };
}

/** Room for what sticks to the window's top, and for a line or two of what follows. */
const TOP_PX = 150;
const BOTTOM_PX = 90;

/** Where it is out of view, to a third of the window's height: what comes before and after is read too. */
function bringIntoView(root: Element, model: SpanTextProps["model"], point: number): void {
  const rect = caretRect(root, model, point);
  if (!rect) return;
  if (rect.top >= TOP_PX && rect.bottom <= window.innerHeight - BOTTOM_PX) return;
  window.scrollBy(0, rect.top - window.innerHeight / 3);
}
      settleView(root.current, latest.current.model, point);
/** Blocks that come into view take their real heights one frame later: then what was brought in may be out of it again. */
function settleView(root: Element, model: TextModel, point: number): void {
  if (!root.classList.contains("long")) return;
  let frames = 3;
  const look = () => {
    bringIntoView(root, model, point);
    frames -= 1;
    if (frames > 0) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

