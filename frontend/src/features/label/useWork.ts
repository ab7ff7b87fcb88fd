import { useMemo, useReducer, useState } from "react";
import { sentSpans } from "../../api/marks";
import type { AnnotationBody, Assignment, ContextLevel, SpanLayer } from "../../api/types";
import { useOutbox } from "../../outbox/OutboxProvider";
import { uuid } from "../../outbox/uuid";
import { type AnswerAction, type AnswerState, answerReducer, answersFrom } from "./model/answers";
import { type Beginning, beginningOf } from "./model/begin";
import { openAnswers } from "./model/gates";
import { widerOf } from "./model/ladder";
import type { Spent } from "./model/timeKeeper";
import { sameMarks } from "./spans/model/types";
import { type SpanEditor, useSpanEditor } from "./spans/useSpanEditor";
import { useDraft } from "./useDraft";
import { useTimeKeeper } from "./useTimeKeeper";

/** One item in hand: answers, spans, comment, context, time; kept as a draft until it is submitted. */
export interface Work {
  beginning: Beginning;
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
  /** Forgets the changes. */
  undo: () => Promise<void>;
  /** Resolves when the submit is on this browser's disk. */
  commit: (skipReason?: string) => Promise<void>;
}

export function useWork(assignment: Assignment, projectId: string): Work {
  const outbox = useOutbox();
  const stages = assignment.codebook.definition.stages;
  const [beginning] = useState(() =>
    beginningOf(assignment, outbox.draft(assignment.id), outbox.snapshot().entries),
  );
  const [answers, dispatch] = useReducer(
    (state: AnswerState, action: AnswerAction) => answerReducer(stages, state, action),
    beginning.given,
    answersFrom,
  );
  const spans = useSpans(assignment, beginning);
  const [comment, setComment] = useState(beginning.comment);
  const [context, setContext] = useState({ open: beginning.contextOpen, widest: beginning.contextOpened });
  const time = useTimeKeeper(beginning.spent);
  const counted = useMemo(() => openAnswers(stages, answers.given), [stages, answers.given]);
  const marked = spans?.spans ?? null;
  const areSpansChanged = useMemo(
    () => marked !== null && !sameMarks(beginning.stored?.spans ?? [], marked),
    [beginning, marked],
  );
  const isChanged = areSpansChanged || differs(beginning, counted, comment);
  const draft = {
    baseRevision: beginning.baseRevision,
    given: answers.given,
    spans: marked ?? beginning.spans,
    comment,
    contextOpen: context.open,
    contextOpened: context.widest,
  };
  const hold = useDraft(assignment.id, draft, isChanged || beginning.stored === null, time);

  return {
    beginning,
    answers,
    spans,
    dispatch,
    comment,
    setComment,
    contextOpen: context.open,
    contextOpened: context.widest,
    openContext: (level) => setContext(({ widest }) => ({ open: level, widest: widerOf(widest, level) })),
    isChanged,
    undo: () => {
      hold(true);
      return outbox.dropDraft(assignment.id);
    },
    commit: async (skipReason) => {
      hold(true);
      const said = skipReason
        ? { answers: {}, spans: [] }
        : { answers: counted, spans: spans ? sentSpans(spans.spans, spans.quote) : [] };
      const answered = { ...said, comment, context_opened: context.widest };
      const body = bodyOf(beginning.baseRevision, answered, time.spent(), skipReason);
      try {
        await outbox.commit({ projectId, assignment, body });
      } catch (error) {
        hold(false);
        throw error;
      }
    },
  };
}

const NO_LAYER: SpanLayer = { target: null, categories: [] };

function useSpans({ item, codebook }: Assignment, beginning: Beginning): SpanEditor | null {
  const layer = codebook.definition.span_layer ?? null;
  const sources = useMemo(() => item.sources.map(({ id }) => id), [item]);
  const editor = useSpanEditor(item.text, layer ?? NO_LAYER, beginning.spans, sources);
  return layer && editor;
}

function bodyOf(
  baseRevision: number,
  answered: Pick<AnnotationBody, "answers" | "spans" | "comment" | "context_opened">,
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

function differs(beginning: Beginning, counted: Record<string, string>, comment: string): boolean {
  const before = beginning.stored;
  if (!before) return Object.keys(counted).length > 0 || comment !== "";
  const keys = new Set([...Object.keys(before.answers), ...Object.keys(counted)]);
  return before.comment !== comment || [...keys].some((key) => before.answers[key] !== counted[key]);
}
