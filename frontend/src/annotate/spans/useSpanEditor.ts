import { useMemo, useReducer } from "react";
import type { SpanLayer } from "../../api/types";
import { type EditorAction, type EditorState, editorFrom, editorReducer } from "./model/editor";
import { type Fault, faultsOf } from "./model/rules";
import { type TextModel, textModel } from "./model/textModel";
import { trimmed } from "./model/trim";
import { type EditorSpan, type Mark, type Range, rangeOf } from "./model/types";

/** Spans of one text in the making: by themselves, whatever they are made for and wherever they are kept. */
export interface SpanEditor {
  model: TextModel;
  layer: SpanLayer;
  sources: readonly string[];
  state: EditorState;
  dispatch: (action: EditorAction) => void;
  /** In text order. */
  spans: readonly EditorSpan[];
  selectedSpan: EditorSpan | null;
  /** Everything that still keeps the spans from being submitted. */
  faults: readonly Fault[];
  quote: (span: Range) => string;
  /** What would be marked: the selection without white space at its edges, null while nothing is selected. */
  toMark: Range | null;
}

/** `initial` counts once; `sources` are the ids of the text's source documents and must not change. */
export function useSpanEditor(
  text: string,
  layer: SpanLayer,
  initial: readonly Mark[],
  sources: readonly string[],
): SpanEditor {
  const model = useMemo(() => textModel(text), [text]);
  const [state, dispatch] = useReducer(
    (before: EditorState, action: EditorAction) => editorReducer({ layer, sources }, before, action),
    initial,
    editorFrom,
  );
  const { spans } = state;
  const quote = useMemo(() => (span: Range) => model.points.slice(span.start, span.end), [model]);
  const faults = useMemo(
    () => faultsOf(layer, spans, quote, new Set(sources)),
    [layer, spans, quote, sources],
  );
  const selectedSpan = spans.find(({ id }) => id === state.selectedId) ?? null;
  const { selection } = state;
  const toMark = useMemo(
    () => (selection.anchor === selection.head ? null : trimmed(model, rangeOf(selection))),
    [model, selection],
  );
  return { model, layer, sources, state, dispatch, spans, selectedSpan, faults, quote, toMark };
}
