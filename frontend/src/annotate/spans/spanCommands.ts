import type { RefObject } from "react";
import { flushSync } from "react-dom";
import { shortQuote } from "../../text/quote";
import { endMoved, extended, stepped, type Unit, type Way } from "./model/caret";
import { nameOf } from "./model/categories";
import type { EditorAction } from "./model/editor";
import { blockAt } from "./model/textModel";
import { type EditorSpan, type Range, rangeOf, type Selection } from "./model/types";
import type { CardFocus } from "./parts/useCardFocus";
import type { SpanTextHandle } from "./parts/useTextSelection";
import type { SpanEditor } from "./useSpanEditor";

/** What a person does with spans, by key or by button: the change, what is brought into view, what is said. */
export interface SpanCommands {
  /** Marks the selection; without one, gives the selected span this category. */
  category: (key: string) => void;
  step: (unit: Unit, side: "left" | "right", extends_: boolean) => void;
  lineStep: (way: Way, extends_: boolean) => void;
  selectAll: () => void;
  selectSpan: (id: number | null) => void;
  walk: (way: Way) => void;
  moveEnd: (end: "start" | "end", unit: "character" | "word", way: Way) => void;
  selectItsText: () => void;
  remark: () => void;
  delete: () => void;
  deselect: () => void;
  undo: () => void;
  redo: () => void;
  goToMissing: () => void;
  writeComment: () => void;
  chooseSource: () => void;
}

interface CommandParts {
  editor: SpanEditor;
  view: RefObject<SpanTextHandle | null>;
  announce: (words: string) => void;
  focus: CardFocus;
}

export function makeSpanCommands(parts: CommandParts): SpanCommands {
  return {
    ...caretCommands(parts),
    ...markCommands(parts),
    ...walkCommands(parts),
    ...changeCommands(parts),
  };
}

function caretCommands({ editor, view, announce }: CommandParts) {
  const { model, state, dispatch, quote } = editor;
  const move = (selection: Selection, read: string) => {
    dispatch({ kind: "selectText", selection });
    view.current?.focus();
    view.current?.show(selection.head);
    const range = rangeOf(selection);
    announce(range.end > range.start ? `Selected: ${shortQuote(quote(range))}` : read);
  };
  return {
    selectAll: () => {
      dispatch({ kind: "selectText", selection: { anchor: 0, head: model.points.length } });
      view.current?.focus();
      announce("The whole text is selected.");
    },
    step: (unit: Unit, side: "left" | "right", extends_: boolean) => {
      const { head } = state.selection;
      const way = wayOf(editor, head, side, unit);
      const to = stepped(model, head, unit, way);
      const read = quote({ start: to, end: stepped(model, to, unit === "word" ? unit : "character", "on") });
      const next = extends_ ? extended(model, state.selection, unit, way) : { anchor: to, head: to };
      move(next, spoken(unit === "word" ? read.trimEnd() : read));
    },
    lineStep: (way: Way, extends_: boolean) => {
      view.current?.focus();
      const to = view.current?.lineStep(way, extends_)?.head;
      if (to === undefined) return;
      const selection = { anchor: extends_ ? state.selection.anchor : to, head: to };
      move(selection, shortQuote(quote({ start: to, end: to + 40 })));
    },
  };
}

/** In a right-to-left line the left arrow leads on. Home and End are of the reading order. */
function wayOf({ model }: SpanEditor, point: number, side: "left" | "right", unit: Unit): Way {
  const isTurned =
    model.blocks[blockAt(model, point)]?.isRightToLeft && (unit === "character" || unit === "word");
  return (side === "right") === !isTurned ? "on" : "back";
}

function spoken(words: string): string {
  if (words === "") return "End of the text";
  if (/^[\r\n]+$/.test(words)) return "Line break";
  if (words === "\t") return "Tab";
  return words.trim() === "" ? "Space" : words;
}

export const ONLY_SPACE = "Only white space is selected: select some words.";

function isEmpty({ start, end }: Range): boolean {
  return start === end;
}

function markCommands({ editor, announce }: CommandParts) {
  const { dispatch, layer, selectedSpan, quote, toMark } = editor;
  return {
    category: (key: string) => {
      const name = nameOf(layer, key);
      if (toMark && isEmpty(toMark)) announce(ONLY_SPACE);
      else if (toMark) {
        dispatch({ kind: "mark", category: key, range: toMark });
        announce(`Marked ${name}: ${shortQuote(quote(toMark))}`);
      } else if (selectedSpan) {
        dispatch({ kind: "recategorise", id: selectedSpan.id, category: key });
        announce(`Now ${name}: ${shortQuote(quote(selectedSpan))}`);
      } else announce("Select some text first, or take a span in hand.");
    },
  };
}

function walkCommands({ editor, view, announce, focus }: CommandParts) {
  const { spans, state, dispatch, layer, selectedSpan, quote } = editor;
  const take = (span: EditorSpan | undefined, words?: string) => {
    if (!span) return announce("No spans are marked yet.");
    dispatch({ kind: "selectSpan", id: span.id });
    view.current?.show(span.start, span.id);
    const place = spans.indexOf(span) + 1;
    announce(
      words ?? `${nameOf(layer, span.category)}, ${place} of ${spans.length}: ${shortQuote(quote(span))}`,
    );
  };
  const selectById = (id: number | null) => {
    const span = spans.find((each) => each.id === id);
    if (span) take(span);
    else dispatch({ kind: "selectSpan", id: null });
  };
  return {
    selectSpan: selectById,
    walk: (way: Way) => take(nextSpan(spans, selectedSpan, state.selection.head, way)),
    deselect: () => {
      const { anchor, head } = state.selection;
      if (anchor !== head) dispatch({ kind: "selectText", selection: { anchor: head, head } });
      else dispatch({ kind: "selectSpan", id: null });
      view.current?.focus();
      announce(anchor === head ? "Nothing in hand." : "Nothing selected.");
    },
    goToMissing: () => {
      const fault = nextFault(editor);
      if (!fault) return announce("Nothing is missing.");
      const span = fault.place === null ? undefined : spans[fault.place];
      if (span) flushSync(() => take(span, fault.message));
      else announce(fault.message);
      if (span && fault.kind === "comment_missing") focus.enterComment();
      else if (span && fault.kind === "source_missing") focus.enterSource();
      else view.current?.focus();
    },
    writeComment: () => {
      if (!focus.enterComment()) announce("This category takes no comment.");
    },
    chooseSource: () => {
      if (!focus.enterSource()) announce("This category means no source, or the text has none.");
    },
  };
}

/** From the selected span, else from the caret; round the end. */
function nextSpan(
  spans: readonly EditorSpan[],
  selectedSpan: EditorSpan | null,
  caret: number,
  way: Way,
): EditorSpan | undefined {
  if (selectedSpan) {
    const place = spans.indexOf(selectedSpan) + (way === "on" ? 1 : -1);
    return spans.at(place % spans.length);
  }
  return way === "on"
    ? (spans.find(({ start }) => start >= caret) ?? spans[0])
    : (spans.findLast(({ start }) => start < caret) ?? spans.at(-1));
}

/** The first in text order; with a faulty span selected, the first of the next one. The whole text comes last. */
function nextFault({ faults, spans, selectedSpan }: SpanEditor) {
  const order = (place: number | null) => place ?? spans.length;
  const sorted = faults.toSorted((a, b) => order(a.place) - order(b.place));
  const held = selectedSpan ? spans.indexOf(selectedSpan) : -1;
  const isHeldFaulty = sorted.some(({ place }) => place === held);
  return (isHeldFaulty && sorted.find(({ place }) => order(place) > held)) || sorted[0];
}

function changeCommands({ editor, view, announce }: CommandParts) {
  const { model, state, dispatch, layer, selectedSpan, quote, toMark } = editor;
  const move = (span: EditorSpan, range: Range) => {
    dispatch({ kind: "move", id: span.id, range });
    announce(`${nameOf(layer, span.category)} is now: ${shortQuote(quote(range))}`);
  };
  /** The focus stays on the page although what had it may go with the change. */
  const turn = (action: EditorAction, isPossible: boolean, done: string, not: string) => {
    if (!isPossible) return announce(not);
    flushSync(() => dispatch(action));
    if (document.activeElement === document.body) view.current?.focus();
    announce(done);
  };
  return {
    moveEnd: (end: "start" | "end", unit: "character" | "word", way: Way) => {
      if (!selectedSpan) return;
      const range = endMoved(model, selectedSpan, end, unit, way);
      move(selectedSpan, range);
      view.current?.show(range[end]);
    },
    selectItsText: () => {
      if (!selectedSpan) return;
      const selection: Selection = { anchor: selectedSpan.start, head: selectedSpan.end };
      dispatch({ kind: "selectText", selection });
      view.current?.focus();
      announce(`Selected: ${shortQuote(quote(selectedSpan))}`);
    },
    remark: () => {
      if (toMark && isEmpty(toMark)) announce(ONLY_SPACE);
      else if (selectedSpan && toMark) move(selectedSpan, toMark);
    },
    delete: () => {
      if (!selectedSpan) return;
      const words = `Deleted ${nameOf(layer, selectedSpan.category)}: ${shortQuote(quote(selectedSpan))}`;
      turn({ kind: "delete", id: selectedSpan.id }, true, words, "");
    },
    undo: () => turn({ kind: "undo" }, state.past.length > 0, "Undone.", "Nothing to undo."),
    redo: () => turn({ kind: "redo" }, state.future.length > 0, "Done again.", "Nothing to do again."),
  };
}
