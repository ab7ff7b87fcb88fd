import type { SpanCategory, SpanLayer } from "../../../api/types";
import { type EditorSpan, inTextOrder, type Mark, type Range, type Selection } from "./types";

/** What undo goes back to. */
interface Snapshot {
  spans: readonly EditorSpan[];
  selectedId: number | null;
}

export interface EditorState extends Snapshot {
  selection: Selection;
  nextId: number;
  past: readonly Snapshot[];
  future: readonly Snapshot[];
  /** The span whose comment is being typed, and what it was last: typing on within a word is one step of undo. */
  typing: { id: number; comment: string } | null;
}

export type EditorAction =
  | { kind: "selectText"; selection: Selection }
  | { kind: "selectSpan"; id: number | null }
  | { kind: "mark"; category: string; range: Range }
  | { kind: "recategorise"; id: number; category: string }
  | { kind: "move"; id: number; range: Range }
  | { kind: "comment"; id: number; comment: string }
  | { kind: "link"; id: number; source: string | null }
  | { kind: "delete"; id: number }
  | { kind: "add"; marks: readonly Mark[] }
  | { kind: "undo" }
  | { kind: "redo" };

/** What the reducer must know and no action changes. */
export interface EditorFrame {
  layer: SpanLayer;
  /** Ids of the item's source documents. */
  sources: readonly string[];
}

const STEPS_KEPT = 500;

export function editorFrom(marks: readonly Mark[]): EditorState {
  return {
    spans: numbered(marks, 1),
    selectedId: null,
    selection: { anchor: 0, head: 0 },
    nextId: marks.length + 1,
    past: [],
    future: [],
    typing: null,
  };
}

function numbered(marks: readonly Mark[], from: number): EditorSpan[] {
  const spans = marks.map(({ start, end, category, comment, source }, place) => ({
    ...{ id: from + place, start, end },
    ...{ category, comment, source },
  }));
  return spans.sort(inTextOrder);
}

export function editorReducer(frame: EditorFrame, state: EditorState, action: EditorAction): EditorState {
  switch (action.kind) {
    case "selectText":
      return { ...state, selection: action.selection };
    case "selectSpan":
      return action.id === state.selectedId ? state : { ...state, selectedId: action.id, typing: null };
    case "mark":
      return mark(frame, state, action.category, action.range);
    case "recategorise":
      return recategorise(frame, state, action.id, action.category);
    case "move":
      return change(state, action.id, action.range);
    case "comment":
      return writeComment(state, action.id, action.comment);
    case "link":
      return change(state, action.id, { source: action.source });
    case "delete":
      return remove(state, action.id);
    case "add":
      return add(state, action.marks);
    case "undo":
      return goBack(state);
    case "redo":
      return goForward(state);
  }
}

function mark(frame: EditorFrame, state: EditorState, key: string, range: Range): EditorState {
  const category = categoryOf(frame.layer, key);
  if (!category || range.start === range.end) return state;
  const source = onlySource(frame, category);
  const span = { ...range, id: state.nextId, category: key, comment: "", source };
  const selection = { anchor: range.end, head: range.end };
  return {
    ...step(state, inserted(state.spans, span), span.id),
    nextId: state.nextId + 1,
    selection,
  };
}

/** A link that the other category has no use for goes; a comment is the person's own, and is only pointed at. */
function recategorise(frame: EditorFrame, state: EditorState, id: number, key: string): EditorState {
  const span = state.spans.find((each) => each.id === id);
  const category = categoryOf(frame.layer, key);
  if (!span || !category || span.category === key) return state;
  const source = category.refers ? (span.source ?? onlySource(frame, category)) : null;
  return change(state, id, { category: key, source });
}

function onlySource({ sources }: EditorFrame, category: SpanCategory): string | null {
  return category.refers && sources.length === 1 ? (sources[0] ?? null) : null;
}

function change(state: EditorState, id: number, part: Partial<Mark>): EditorState {
  const span = state.spans.find((each) => each.id === id);
  if (!span) return state;
  const next = { ...span, ...part };
  if (next.start >= next.end || inTextOrder(span, next) === 0) return state;
  const others = state.spans.filter((each) => each !== span);
  return step(state, inserted(others, next), id);
}

/** A word more is a step of its own; letters within it, and rubbing them out again, are not. */
function writeComment(state: EditorState, id: number, comment: string): EditorState {
  const before = state.spans.find((each) => each.id === id)?.comment;
  if (before === undefined || before === comment) return state;
  const goesOn = state.typing?.id === id && state.typing.comment === before && isSameWord(before, comment);
  const spans = state.spans.map((each) => (each.id === id ? { ...each, comment } : each));
  const next = goesOn ? { ...state, spans, future: [] } : step(state, spans, id);
  return { ...next, typing: { id, comment } };
}

/** One letter changed, or letters added behind the last word. */
export function isSameWord(before: string, after: string): boolean {
  if (before.length - after.length === 1) return true;
  if (after.length - before.length === 1) return !/\S\s$/.test(before) || /\s$/.test(after);
  return after.startsWith(before) && !/\s\S/.test(after.slice(Math.max(0, before.length - 1)));
}

function remove(state: EditorState, id: number): EditorState {
  const place = state.spans.findIndex((each) => each.id === id);
  if (place === -1) return state;
  const spans = state.spans.filter((each) => each.id !== id);
  return step(state, spans, spans[Math.min(place, spans.length - 1)]?.id ?? null);
}

/** Marks that are there already are not added again. */
function add(state: EditorState, marks: readonly Mark[]): EditorState {
  const known = new Set(state.spans.map(said));
  const fresh = numbered(
    marks.filter((each) => !known.has(said(each))),
    state.nextId,
  );
  if (fresh.length === 0) return state;
  const spans = [...state.spans, ...fresh].sort(inTextOrder);
  return { ...step(state, spans, fresh[0]?.id ?? null), nextId: state.nextId + fresh.length };
}

function said({ start, end, category, comment, source }: Mark): string {
  return JSON.stringify([start, end, category, comment, source]);
}

function inserted(spans: readonly EditorSpan[], span: EditorSpan): EditorSpan[] {
  const place = spans.findIndex((each) => inTextOrder(span, each) < 0);
  return place === -1 ? [...spans, span] : spans.toSpliced(place, 0, span);
}

function step(state: EditorState, spans: readonly EditorSpan[], selectedId: number | null): EditorState {
  const past = [...state.past.slice(-STEPS_KEPT + 1), { spans: state.spans, selectedId: state.selectedId }];
  return { ...state, spans, selectedId, past, future: [], typing: null };
}

function goBack(state: EditorState): EditorState {
  const before = state.past.at(-1);
  if (!before) return state;
  const now = { spans: state.spans, selectedId: state.selectedId };
  return {
    ...state,
    ...before,
    past: state.past.slice(0, -1),
    future: [now, ...state.future],
    typing: null,
  };
}

function goForward(state: EditorState): EditorState {
  const [next, ...future] = state.future;
  if (!next) return state;
  const now = { spans: state.spans, selectedId: state.selectedId };
  return { ...state, ...next, past: [...state.past, now], future, typing: null };
}

export function categoryOf(layer: SpanLayer, key: string): SpanCategory | undefined {
  return layer.categories.find((category) => category.key === key);
}
