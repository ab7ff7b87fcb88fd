import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useReducer, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Answers, ContextLevel, StageDefinition } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import type { Action } from "../../keyboard/registry";
import { type AnswerAction, type Hands, hands as handsOf } from "../label/model/answers";
import { openAnswers, openStages } from "../label/model/gates";
import { levelBelow, nextLevel } from "../label/model/ladder";
import { type OptionKeys, optionKeys } from "../label/model/optionKeys";
import { useHelpShown } from "../label/useHelpShown";
import { type CaseCommands, decidingActions, pageActions } from "./actions";
import { type Case, caseQuery } from "./api";
import { type Deciding, decidedLabels, decidingFrom, decidingReducer } from "./model/deciding";
import { type Filters, pathTo } from "./model/filters";
import { labelsWords } from "./model/words";
import { type Sent, useDecide } from "./useDecide";

export interface CaseProps {
  page: Case;
  projectId: string;
  filters: Filters;
}

/** Everything that the page of one item knows and can do. */
export interface CaseState extends CaseProps {
  stages: readonly StageDefinition[];
  deciding: Deciding;
  /** What would be stored now. */
  labels: Answers;
  hands: Hands;
  keys: OptionKeys;
  commands: CaseCommands;
  actions: Action[];
  reason: string;
  setReason: (reason: string) => void;
  reasonRef: RefObject<HTMLInputElement | null>;
  storeRef: RefObject<HTMLButtonElement | null>;
  context: ContextLevel;
  setContext: (level: ContextLevel) => void;
  helpShown: boolean;
  keysShown: boolean;
  hideKeys: () => void;
  /** Why nothing was sent, in words. */
  problem: string | null;
  /** Why the last decision was not taken. */
  error: unknown;
  isBusy: boolean;
}

export function useCase(props: CaseProps): CaseState {
  const { page } = props;
  const stages = page.codebook.definition.stages;
  const [deciding, dispatch] = useReducer(
    (state: Deciding, action: AnswerAction) => decidingReducer(stages, state, action),
    page,
    decidingFrom,
  );
  const [reason, setReason] = useState(page.decision?.withdraws ? "" : (page.decision?.reason ?? ""));
  const [context, setContext] = useState<ContextLevel>("sentence");
  const [helpShown, toggleHelp] = useHelpShown();
  const [keysShown, setKeysShown] = useState(false);
  const reasonRef = useRef<HTMLInputElement>(null);
  const storeRef = useRef<HTMLButtonElement>(null);
  const labels = decidedLabels(stages, deciding);
  const go = useGoing(props);
  const { store, undo, problem, setProblem, error, isBusy } = useStoring(
    props,
    labels,
    reason,
    reasonRef,
    go.next,
  );
  const hands = handsOf(stages, deciding.path);
  const keys = optionKeys(hands);
  const wider = nextLevel(page.item, context);
  const commands: CaseCommands = {
    answer: (stage, label) => {
      setProblem(null);
      dispatch({ kind: "answer", stage, label });
    },
    reopen: (stage) => dispatch({ kind: "reopen", stage }),
    fold: () => dispatch({ kind: "fold" }),
    store,
    undo,
    writeReason: () => reasonRef.current?.focus(),
    previous: () => go.to(page.previous),
    next: go.next,
    openContext: () => wider && setContext(wider),
    closeContext: () => setContext(levelBelow(page.item, context)),
    toggleHelp,
    keys: () => setKeysShown(true),
  };
  const enabled = {
    fold: deciding.path.reopened !== null,
    undo: page.decision !== null && !page.decision.withdraws,
    previous: page.previous !== null,
    next: page.next !== null,
    openContext: wider !== null,
    closeContext: context !== "sentence",
  };
  const counted = openAnswers(stages, deciding.path.given);
  const open = openStages(stages, deciding.path.given);
  return {
    ...{ ...props, stages, deciding, labels, hands, keys, commands, reason, setReason, reasonRef, storeRef },
    ...{ context, setContext, helpShown, keysShown, hideKeys: () => setKeysShown(false) },
    ...{ problem, error, isBusy },
    actions: [...pageActions(commands, enabled), ...decidingActions(hands, keys, open, counted, commands)],
  };
}

/** To the neighbours in the list; the next one is loaded ahead, so that it is there at the press of a key. */
function useGoing({ page, projectId, filters }: CaseProps) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { next } = page;
  // biome-ignore lint/correctness/useExhaustiveDependencies(filters): they come anew with each address
  useEffect(() => {
    if (next) void client.prefetchQuery(caseQuery(projectId, next, filters));
  }, [client, projectId, next]);
  const to = (itemId: string | null) => {
    if (itemId) void navigate(pathTo(projectId, filters, itemId));
  };
  return { to, next: () => to(next) };
}

function useStoring(
  { page, projectId, filters }: CaseProps,
  labels: Answers,
  reason: string,
  reasonRef: RefObject<HTMLInputElement | null>,
  onward: () => void,
) {
  const announce = useAnnounce();
  const [problem, setProblem] = useState<string | null>(null);
  const decision = useDecide(projectId, page.item.id);
  const say = (words: string) => {
    setProblem(words);
    announce(words);
  };
  const base = {
    base_revision: page.decision?.revision ?? 0,
    source: filters.phase === 2 ? ("consensus" as const) : ("adjudication" as const),
  };
  const send = (body: Sent, done: string, after: () => void) => {
    if (decision.isPending) return;
    setProblem(null);
    decision.mutate(body, {
      onSuccess: () => {
        announce(done);
        after();
      },
    });
  };
  const store = () => {
    if (Object.keys(labels).length === 0) return say("Choose a label first.");
    if (reason.trim() === "") {
      reasonRef.current?.focus();
      return say("Say in a few words why.");
    }
    const done = `Stored. ${labelsWords(page.codebook.definition.stages, labels)}`;
    send({ ...base, labels, reason, withdraw: false }, done, onward);
  };
  const undo = () => send({ ...base, labels: {}, reason: "", withdraw: true }, "Taken back.", () => {});
  return { store, undo, problem, setProblem, error: decision.error, isBusy: decision.isPending };
}
