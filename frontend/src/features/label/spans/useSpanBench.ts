import { useQuery } from "@tanstack/react-query";
import { type RefObject, useMemo, useRef } from "react";
import { flushSync } from "react-dom";
import { spanActions } from "../../../annotate/spans/actions";
import { type SpanKeys, spanKeys } from "../../../annotate/spans/model/spanKeys";
import { byPlace, type EditorSpan } from "../../../annotate/spans/model/types";
import { useCardFocus } from "../../../annotate/spans/parts/useCardFocus";
import type { SpanTextHandle } from "../../../annotate/spans/parts/useTextSelection";
import { sourceActions } from "../../../annotate/spans/sourceActions";
import { makeSpanCommands } from "../../../annotate/spans/spanCommands";
import type { Marking } from "../../../annotate/spans/useMarking";
import { type Sources, useSources } from "../../../annotate/spans/useSources";
import type { SpanEditor } from "../../../annotate/spans/useSpanEditor";
import { type Mark, marksOf } from "../../../api/marks";
import { sourcesQuery } from "../../../api/queries";
import type { Assignment } from "../../../api/types";
import { useAnnounce } from "../../../components/Announcer";
import { useOwnKeys } from "../../../keyboard/ownKeys";
import type { Action } from "../../../keyboard/registry";
import { counted } from "../../../text/format";

/** The marking of spans on the labelling screen: what it knows and can do. */
export interface SpanBench extends Marking {
  sources: Sources;
  /** Takes the imported marks for the person's own; null where there are none, or they were taken. */
  startFromMarks: (() => void) | null;
}

/** null where the codebook marks no spans. */
export function useSpanBench(assignment: Assignment, editor: SpanEditor | null): SpanBench | null {
  const announce = useAnnounce();
  const view = useRef<SpanTextHandle>(null);
  const focus = useCardFocus();
  const sources = useAssignmentSources(assignment);
  const startFromMarks = useMarksTaker(assignment, editor, view);
  const own = useOwnKeys();
  if (!editor) return null;
  const spanCommands = makeSpanCommands({ editor, view, announce, focus });
  const keys = spanKeys(editor.layer, own);
  const actions = [
    ...spanActions(editor, spanCommands, keys),
    ...(assignment.item.marks.length > 0 ? [marksAction(startFromMarks, keys)] : []),
    ...sourceActions(sources, keys.commands.sources, editor.selectedSpan),
  ];
  return { editor, spanCommands, keys, sources, actions, view, focus, startFromMarks };
}

/** The button that was pressed goes with what it did: the focus goes on in the text. */
function useMarksTaker(
  { item }: Assignment,
  editor: SpanEditor | null,
  view: RefObject<SpanTextHandle | null>,
): (() => void) | null {
  const announce = useAnnounce();
  const marks = useMemo(() => marksOf(item.marks).sort(byPlace), [item]);
  const spans = editor?.spans ?? NONE;
  const isTaken = useMemo(() => areAmong(spans, marks), [marks, spans]);
  if (!editor || isTaken) return null;
  return () => {
    flushSync(() => editor.dispatch({ kind: "add", marks }));
    view.current?.focus();
    announce(`${counted(marks.length, "imported mark")} added. Undo removes them.`);
  };
}

function marksAction(take: (() => void) | null, { commands }: SpanKeys): Action {
  const words = {
    ...{ label: "Start from the imported marks", group: "Imported marks" },
    when: "while one of them is not among yours",
  };
  return {
    ...{ id: "span-marks", ...words, key: commands.marks },
    run: () => take?.(),
    isEnabled: () => take !== null,
  };
}

const NONE: readonly EditorSpan[] = [];

/** Both stand in text order. */
function areAmong(spans: readonly Mark[], marks: readonly Mark[]): boolean {
  let at = 0;
  return marks.every((mark) => {
    for (let span = spans[at]; span && byPlace(span, mark) < 0; span = spans[at]) at += 1;
    const span = spans[at];
    return span !== undefined && byPlace(span, mark) === 0;
  });
}

function useAssignmentSources({ id, item }: Assignment): Sources {
  const isAsked = item.sources.length > 0;
  const { data, error, refetch } = useQuery({ ...sourcesQuery(id), enabled: isAsked });
  return useSources(item.sources, { texts: data, error, retry: () => void refetch() });
}
