import { useEffect, useReducer, useRef, useState } from "react";
import type { AnswerAction } from "../../annotate/questions/answers";
import type { Answers, StageDefinition } from "../../api/types";
import { useAskBeforeLeaving } from "../../kept/leaving";
import type { Elsewhere } from "../../kept/useElsewhere";
import type { Case } from "./api";
import { type Deciding, decidedLabels, decidingFrom, decidingReducer, isSame } from "./model/deciding";
import type { DecisionDraft, DecisionDrafts } from "./model/drafts";
import type { Filters } from "./model/filters";

export interface CaseProps {
  page: Case;
  projectId: string;
  filters: Filters;
  drafts: DecisionDrafts;
  /** What another tab did to a decision that is not stored. */
  elsewhere: Elsewhere | null;
}

/** What the person chose and wrote beside the decision that stands. */
export interface Own {
  deciding: Deciding;
  /** What would be stored now. */
  labels: Answers;
  reason: string;
  /** kept: begun before, and not stored. overtaken: and the decision that it was begun from stands no more. */
  begun: "kept" | "overtaken" | null;
  change: (action: AnswerAction) => void;
  setReason: (reason: string) => void;
  /** Goes on with it in spite of the other decision. */
  keep: () => void;
  /** Puts the decision that stands in its place, or nothing. */
  drop: () => void;
  /** It is in the database. */
  stored: () => void;
}

type Change = AnswerAction | { kind: "anew"; from: Deciding };

/** By what name this browser keeps a decision that is not stored. */
export function draftName(itemId: string, { phase }: Filters): string {
  return `${itemId}.${phase}`;
}

/** Kept in the browser from the first choice or letter until it is stored or dropped. */
export function useOwn({ page, filters, drafts }: CaseProps, stages: readonly StageDefinition[]): Own {
  const name = draftName(page.item.id, filters);
  const revision = page.decision?.revision ?? 0;
  const [draft] = useState(() => drafts.get(name));
  const [base, setBase] = useState(draft?.base ?? revision);
  const [begun, setBegun] = useState(() => begunFrom(draft, page));
  const [deciding, dispatch] = useReducer(
    (state: Deciding, change: Change) =>
      change.kind === "anew" ? change.from : decidingReducer(stages, state, change),
    draft ? draft.labels : (page.decision?.labels ?? {}),
    (labels) => decidingFrom(page.majorities, labels),
  );
  const [reason, setReason] = useState(draft?.reason ?? reasonOf(page));
  const [isAtRisk, setAtRisk] = useState(false);
  const labels = decidedLabels(stages, deciding);
  const said = JSON.stringify({ base, labels, reason } satisfies DecisionDraft);
  const asKept = useRef(JSON.stringify(draft));
  useEffect(() => {
    const own = JSON.parse(said) as DecisionDraft;
    const isLeft = isStanding(own, page);
    // What was found is kept already: written again it would replace what another tab keeps at this moment.
    if (!isLeft && said === asKept.current) return;
    asKept.current = said;
    if (isLeft) drafts.drop(name);
    setAtRisk(!isLeft && !drafts.keep(name, own));
  }, [drafts, name, page, said]);
  useAskBeforeLeaving(isAtRisk ? "This browser could not keep the decision that you began." : null);
  return {
    ...{ deciding, labels, reason, begun, setReason },
    change: dispatch,
    keep: () => {
      setBase(revision);
      setBegun(null);
    },
    drop: () => {
      dispatch({ kind: "anew", from: decidingFrom(page.majorities, page.decision?.labels ?? {}) });
      setReason(reasonOf(page));
      setBase(revision);
      setBegun(null);
    },
    stored: () => drafts.drop(name),
  };
}

function begunFrom(draft: DecisionDraft | null, page: Case): Own["begun"] {
  if (draft === null || isStanding(draft, page)) return null;
  return draft.base === (page.decision?.revision ?? 0) ? "kept" : "overtaken";
}

/** Nothing would be lost with it. */
function isStanding({ labels, reason }: DecisionDraft, page: Case): boolean {
  return isSame(labels, page.decision?.labels ?? {}) && reason === reasonOf(page);
}

function reasonOf({ decision }: Case): string {
  return decision === null || decision.withdraws ? "" : decision.reason;
}
