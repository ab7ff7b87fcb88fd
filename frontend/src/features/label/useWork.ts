import { useEffect, useMemo, useReducer, useRef, useState } from "react";
import {
  type AnswerAction,
  type AnswerState,
  answerReducer,
  answersFrom,
} from "../../annotate/questions/answers";
import { openAnswers } from "../../annotate/questions/gates";
import { shownSuggestions } from "../../annotate/questions/suggested";
import { widerOf } from "../../annotate/reading/contextLevels";
import { sameMarks } from "../../annotate/spans/model/types";
import { type SpanEditor, useSpanEditor } from "../../annotate/spans/useSpanEditor";
import { type Mark, sentSpans } from "../../api/marks";
import type { AnnotationBody, Assignment, ContextLevel, CurrentAnnotation, SpanLayer } from "../../api/types";
import { useOutbox, useOutboxState } from "../../outbox/OutboxProvider";
import { lastSubmit } from "../../outbox/order";
import { uuid } from "../../outbox/uuid";
import { type InitialDraft, initialDraft, overtaken } from "./model/initialDraft";
import type { Spent } from "./model/timeKeeper";
import { useDraft } from "./useDraft";
import { useTimeKeeper } from "./useTimeKeeper";

/** One item in hand: answers, spans, comment, context, time; kept as a draft until it is submitted. */
export interface Work {
  initial: InitialDraft;
  answers: AnswerState;
  /** null where the codebook marks no spans. */
  spans: SpanEditor | null;
  dispatch: (action: AnswerAction) => void;
  comment: string;
  setComment: (comment: string) => void;
  contextOpen: ContextLevel;
  contextOpened: ContextLevel;
  openContext: (level: ContextLevel) => void;
  /** Something differs from what is stored. */
  isChanged: boolean;
  /** Another tab submitted the item while work was in hand here, which is now a change of that. */
  isOvertaken: boolean;
  /** Lets go of what is in hand for what another tab has made of the item. */
  takeOther: () => Promise<void>;
  /** Forgets the changes. */
  undo: () => Promise<void>;
  /** Resolves when the submit is on this browser's disk. */
  commit: (skipReason?: string) => Promise<void>;
}

/** `onEmptied`: another tab submitted the item, and nothing of one's own is left in hand. */
export function useWork(assignment: Assignment, projectId: string, onEmptied: () => void): Work {
  const outbox = useOutbox();
  const stages = assignment.codebook.definition.stages;
  const [begun] = useState(() =>
    initialDraft(assignment, outbox.drafts.get(assignment.id), outbox.snapshot()),
  );
  const [overtaking, setOvertaking] = useState<CurrentAnnotation | null>(null);
  const initial = useMemo(() => (overtaking ? overtaken(begun, overtaking) : begun), [begun, overtaking]);
  const [answers, dispatch] = useReducer(
    (state: AnswerState, action: AnswerAction) => answerReducer(stages, state, action),
    begun.given,
    answersFrom,
  );
  const spans = useSpans(assignment, begun);
  const [comment, setComment] = useState(begun.comment);
  const [context, setContext] = useState({ open: begun.contextOpen, widest: begun.contextOpened });
  const time = useTimeKeeper(begun.spent);
  const counted = useMemo(() => openAnswers(stages, answers.given), [stages, answers.given]);
  const marked = spans?.spans ?? null;
  const isChanged = useMemo(
    () => differs(initial, counted, marked, comment),
    [initial, counted, marked, comment],
  );
  const draft = {
    baseRevision: initial.baseRevision,
    given: answers.given,
    spans: marked ?? begun.spans,
    comment,
    contextOpen: context.open,
    contextOpened: context.widest,
  };
  const hold = useDraft(assignment.id, draft, isChanged || initial.stored === null, time);
  const undo = () => {
    hold(true);
    outbox.letGo(assignment.id);
    return outbox.drafts.drop(assignment.id);
  };
  useOvertaking(assignment.id, initial.baseRevision, (now) => {
    const isOwn = isChanged && differs(overtaken(begun, now), counted, marked, comment);
    if (isOwn) setOvertaking(now);
    else void undo().then(onEmptied);
  });

  return {
    initial,
    answers,
    spans,
    dispatch,
    comment,
    setComment,
    contextOpen: context.open,
    contextOpened: context.widest,
    openContext: (level) => setContext(({ widest }) => ({ open: level, widest: widerOf(widest, level) })),
    isChanged,
    isOvertaken: overtaking !== null,
    takeOther: () => {
      hold(true);
      return outbox.drafts.reread(assignment.id);
    },
    undo,
    commit: async (skipReason) => {
      hold(true);
      const said = skipReason
        ? { answers: {}, spans: [] }
        : { answers: counted, spans: spans ? sentSpans(spans.spans, spans.quote) : [] };
      const shown = shownSuggestions(assignment.suggestions);
      const answered = {
        ...said,
        comment,
        context_opened: context.widest,
        ...(shown ? { suggestions: shown } : {}),
      };
      const body = bodyOf(initial.baseRevision, answered, time.spent(), skipReason);
      try {
        await outbox.commit({ projectId, assignment, body });
      } catch (error) {
        hold(false);
        throw error;
      }
    },
  };
}

/** Tells once of each submit of the item that another tab made since `baseRevision`. */
function useOvertaking(
  assignmentId: string,
  baseRevision: number,
  onSubmit: (now: CurrentAnnotation) => void,
) {
  const state = useOutboxState();
  const submit = lastSubmit(state, assignmentId);
  const isOthers = submit !== null && !state.left.has(submit.clientId);
  const now = isOthers && submit.now.revision > baseRevision ? submit.now : null;
  const latest = useRef(onSubmit);
  useEffect(() => {
    latest.current = onSubmit;
  });
  useEffect(() => {
    if (now) latest.current(now);
  }, [now]);
}

const NO_LAYER: SpanLayer = { target: null, categories: [] };

function useSpans({ item, codebook }: Assignment, initial: InitialDraft): SpanEditor | null {
  const layer = codebook.definition.span_layer ?? null;
  const sources = useMemo(() => item.sources.map(({ id }) => id), [item]);
  const editor = useSpanEditor(item.text, layer ?? NO_LAYER, initial.spans, sources);
  return layer && editor;
}

function bodyOf(
  baseRevision: number,
  answered: Pick<AnnotationBody, "answers" | "spans" | "comment" | "context_opened" | "suggestions">,
  spent: Spent,
  skipReason: string | undefined,
): AnnotationBody {
  return {
    client_id: uuid(),
    base_revision: baseRevision,
    ...answered,
    active_ms: spent.activeMs,
    wall_ms: spent.wallMs,
    ...(skipReason ? { skip_reason: skipReason } : {}),
  };
}

function differs(
  { stored }: InitialDraft,
  counted: Record<string, string>,
  marked: readonly Mark[] | null,
  comment: string,
): boolean {
  const before = stored?.answers ?? {};
  const keys = new Set([...Object.keys(before), ...Object.keys(counted)]);
  return (
    (marked !== null && !sameMarks(stored?.spans ?? [], marked)) ||
    (stored?.comment ?? "") !== comment ||
    [...keys].some((key) => before[key] !== counted[key])
  );
}
