import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { type QuestionState, questionState } from "../../annotate/questions/answers";
import { openAnswers, openStages } from "../../annotate/questions/gates";
import { type OptionKeys, optionKeys } from "../../annotate/questions/optionKeys";
import { confirmPending } from "../../annotate/questionTypes/questionType";
import { levelBelow, nextLevel } from "../../annotate/reading/contextLevels";
import { useHelpShown } from "../../annotate/useHelpShown";
import type { ContextLevel, StageDefinition } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import { useOwnKeys } from "../../keyboard/ownKeys";
import type { Action } from "../../keyboard/registry";
import { type CaseCommands, decidingActions, pageActions } from "./actions";
import { caseQuery } from "./api";
import { labelsWords } from "./model/copy";
import { pathTo } from "./model/filters";
import { type Sent, useDecide } from "./useDecide";
import { type CaseProps, type Own, useOwn } from "./useOwn";

const CHOOSE_FIRST = "Keep yours or take the other one first.";

/** Everything that the page of one item knows and can do. */
export interface CaseState extends CaseProps {
  stages: readonly StageDefinition[];
  own: Own;
  questions: QuestionState;
  keys: OptionKeys;
  commands: CaseCommands;
  actions: Action[];
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
  /** It waits for the connection. */
  isPaused: boolean;
}

export function useCase(props: CaseProps): CaseState {
  const { page } = props;
  const stages = page.codebook.definition.stages;
  const own = useOwn(props, stages);
  const [context, setContext] = useState<ContextLevel>("sentence");
  const [helpShown, toggleHelp] = useHelpShown();
  const [keysShown, setKeysShown] = useState(false);
  const reasonRef = useRef<HTMLInputElement>(null);
  const storeRef = useRef<HTMLButtonElement>(null);
  const go = useNeighbours(props);
  const { store, undo, problem, setProblem, error, isBusy, isPaused } = useStoring(
    props,
    own,
    reasonRef,
    go.next,
  );
  const { path } = own.deciding;
  const questions = questionState(stages, path);
  const ownKeys = useOwnKeys();
  const keys = useMemo(() => optionKeys(stages, undefined, ownKeys), [stages, ownKeys]);
  const wider = nextLevel(page.item, context);
  const unproblematic = (act: () => void) => {
    // What is on its way stays as it was sent: the page goes on from it.
    if (isBusy) return;
    setProblem(null);
    act();
  };
  const commands: CaseCommands = {
    answer: (stage, label) => unproblematic(() => own.change({ kind: "answer", stage, label })),
    keepOwn: () => unproblematic(own.keep),
    dropOwn: () => unproblematic(own.drop),
    reopen: (stage) => unproblematic(() => own.change({ kind: "reopen", stage })),
    fold: () => unproblematic(() => own.change({ kind: "fold" })),
    store: () => void (confirmPending() || store()),
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
    fold: path.reopened !== null,
    undo: page.decision !== null && !page.decision.withdraws,
    previous: page.previous !== null,
    next: page.next !== null,
    openContext: wider !== null,
    closeContext: context !== "sentence",
  };
  const counted = openAnswers(stages, path.given);
  const open = openStages(stages, path.given);
  return {
    ...{ ...props, stages, own, questions, keys, commands, reasonRef, storeRef },
    ...{ context, setContext, helpShown, keysShown, hideKeys: () => setKeysShown(false) },
    ...{ problem, error, isBusy, isPaused },
    actions: [
      ...pageActions(commands, enabled),
      ...decidingActions(questions, keys, open, counted, commands),
    ],
  };
}

/** To the neighbours in the list; the next one is loaded ahead, so that it is there at the press of a key. */
function useNeighbours({ page, projectId, filters }: CaseProps) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { next } = page;
  // biome-ignore lint/correctness/useExhaustiveDependencies(filters): they come anew with each address
  useEffect(() => {
    if (next) void client.prefetchQuery(caseQuery(projectId, next, filters));
  }, [client, projectId, next]);
  const to = (itemId: string | null) => {
    // At once: the decided item would be drawn anew in between, and take the next keys.
    if (itemId) void navigate(pathTo(projectId, filters, itemId), { flushSync: true });
  };
  return { to, next: () => to(next) };
}

function useStoring(
  { page, projectId, filters }: CaseProps,
  { labels, reason, begun, stored }: Own,
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
    decision.mutate(
      { body, onStored: stored },
      {
        onSuccess: () => {
          announce(done);
          after();
        },
      },
    );
  };
  const store = () => {
    if (begun === "overtaken") return say(CHOOSE_FIRST);
    if (Object.keys(labels).length === 0) return say("Choose a label first.");
    if (reason.trim() === "") {
      reasonRef.current?.focus();
      return say("Give a short reason.");
    }
    const done = `Stored. ${labelsWords(page.codebook.definition.stages, labels)}`;
    send({ ...base, labels, reason, withdraw: false }, done, onward);
  };
  const undo = () => {
    if (begun === "overtaken") return say(CHOOSE_FIRST);
    send({ ...base, labels: {}, reason: "", withdraw: true }, "Taken back.", () => {});
  };
  const { error, isPending: isBusy, isPaused } = decision;
  return { store, undo, problem, setProblem, error, isBusy, isPaused };
}
