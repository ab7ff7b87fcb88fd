import { type Ref, type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useRef } from "react";
import { isTyping } from "../../../keyboard/keys";
import type { Layout } from "../model/layout";
import { snapped } from "../model/snap";
import type { TextModel } from "../model/textModel";
import type { Selection } from "../model/types";
import { caretRect, endsOnPage, nearerEnd, pointNear, selectionOnPage, selectOnPage } from "../places";

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

export interface TextSelectionProps {
  /** From `textModel(text)`, made once for a text. */
  model: TextModel;
  /** Both left out: the text can be read and its spans selected, and nothing can be marked. */
  selection?: Selection;
  onSelect?: (selection: Selection) => void;
  handle?: Ref<SpanTextHandle>;
}

/** Keeps the page's selection and the given one the same: the mouse changes the one, keys the other. */
export function useTextSelection(
  root: RefObject<HTMLDivElement | null>,
  props: TextSelectionProps,
  layout: Layout,
): void {
  const { model, selection, handle } = props;
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const pointer: Pointer = { x: 0, y: 0, isDown: false, before: null };
    const read = () => root.current && readSelection(root.current, latest.current, pointer);
    const follow = ({ clientX, clientY, buttons }: PointerEvent) =>
      Object.assign(pointer, { x: clientX, y: clientY, isDown: buttons !== 0 });
    const press = (event: PointerEvent) => {
      follow(event);
      pointer.before = latest.current.selection ?? null;
    };
    const release = ({ altKey, pointerType }: PointerEvent) => {
      read();
      pointer.isDown = false;
      read();
      // A finger selects by words already, and by the handles of the system.
      if (!altKey && pointerType !== "touch" && root.current)
        snapToWords(root.current, latest.current, pointer);
    };
    const early = { capture: true };
    document.addEventListener("selectionchange", read);
    document.addEventListener("pointerdown", press, early);
    document.addEventListener("pointermove", follow, early);
    document.addEventListener("pointerup", release, early);
    return () => {
      document.removeEventListener("selectionchange", read);
      document.removeEventListener("pointerdown", press, early);
      document.removeEventListener("pointermove", follow, early);
      document.removeEventListener("pointerup", release, early);
    };
  }, [root]);
  // biome-ignore lint/correctness/useExhaustiveDependencies(layout): redrawn segments take the page's selection with them
  useLayoutEffect(() => {
    if (!root.current || !selection || !hasFocus(root.current)) return;
    selectOnPage(root.current, model, selection);
  }, [root, model, selection, layout]);
  useImperativeHandle(handle, () => handleOf(root, latest), [root]);
}

/** Where in the window a pointer was last, and whether it is pressed. */
interface Pointer {
  x: number;
  y: number;
  isDown: boolean;
  /** What was selected when it was pressed. */
  before: Selection | null;
}

/** What the pointer has just selected grows to whole words. */
function snapToWords(root: Element, { model, onSelect }: TextSelectionProps, pointer: Pointer): void {
  const found = cutToText(root, model, endsOnPage(root, model), pointer);
  if (!found || !onSelect) return;
  if (found.anchor === pointer.before?.anchor && found.head === pointer.before.head) return;
  const { anchor, head } = snapped(model, found);
  if (anchor === found.anchor && head === found.head) return;
  onSelect({ anchor, head });
  selectOnPage(root, model, { anchor, head });
}

/** What is seen to be selected is what will be marked: as far as it is in the text, and nothing while something else is. */
function readSelection(
  root: Element,
  { model, selection, onSelect }: TextSelectionProps,
  pointer: Pointer,
): void {
  if (!selection || !onSelect) return;
  const ends = endsOnPage(root, model);
  const found = cutToText(root, model, ends, pointer);
  if (found) {
    if (found.anchor !== selection.anchor || found.head !== selection.head) onSelect(found);
    if (ends.anchor === null || ends.head === null) selectOnPage(root, model, found);
  } else if (selection.anchor !== selection.head && isElsewhere()) {
    onSelect({ anchor: selection.head, head: selection.head });
  }
}

/**
 * A drag that began in the text goes on to where the text is nearest to the pointer. One that comes into it from outside
 * is cut once it has ended: a person may be on the way to somewhere else. null: nothing of it is in the text.
 */
function cutToText(
  root: Element,
  model: TextModel,
  { anchor, head }: ReturnType<typeof endsOnPage>,
  pointer: Pointer,
): Selection | null {
  const selected = document.getSelection();
  if (anchor !== null && head !== null) return { anchor, head };
  if (!selected?.anchorNode || !selected.focusNode) return null;
  if (anchor !== null) {
    const near = pointer.isDown ? pointNear(root, model, pointer.x, pointer.y) : null;
    const outside = { node: selected.focusNode, offset: selected.focusOffset };
    return { anchor, head: near ?? nearerEnd(root, model, outside) };
  }
  if (head === null || pointer.isDown) return null;
  return {
    anchor: nearerEnd(root, model, { node: selected.anchorNode, offset: selected.anchorOffset }),
    head,
  };
}

/** Something outside the text is typed in or selected. */
function isElsewhere(): boolean {
  return isTyping(document.activeElement) || document.getSelection()?.isCollapsed === false;
}

function hasFocus(root: Element): boolean {
  return root.contains(document.activeElement);
}

function handleOf(
  root: RefObject<HTMLDivElement | null>,
  latest: RefObject<TextSelectionProps>,
): SpanTextHandle {
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
      settleView(root.current, latest.current.model, point);
    },
  };
}

/** Room for what sticks to the window's top, and for a line or two of what follows. */
const TOP_PX = 150;
const BOTTOM_PX = 90;

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

/** Where it is out of view, to a third of the window's height: what comes before and after is read too. */
function bringIntoView(root: Element, model: TextModel, point: number): void {
  const rect = caretRect(root, model, point);
  if (!rect) return;
  if (rect.top >= TOP_PX && rect.bottom <= window.innerHeight - BOTTOM_PX) return;
  window.scrollBy(0, rect.top - window.innerHeight / 3);
}
