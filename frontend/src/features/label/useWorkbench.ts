import { type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { errorWords } from "../../api/errors";
import type { Assignment, ContextLevel, StageDefinition } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import type { Action } from "../../keyboard/registry";
import {
  type Commands,
  foldAction,
  labelActions,
  reopenActions,
  type ScreenKeys,
  SPAN_KEYS,
  STAGE_KEYS,
  screenActions,
} from "./actions";
import { type AnswerState, changeWords, type Hands, hands as handsOf } from "./model/answers";
import { missingStages, openAnswers, openStages } from "./model/gates";
import { levelBelow, nextLevel } from "./model/ladder";
import { type OptionKeys, optionKeys } from "./model/optionKeys";
import { RUNG_TITLES } from "./model/wording";
import { missingWords } from "./spans/parts/Missing";
import { type SpanBench, useSpanBench } from "./spans/useSpanBench";
import type { Going } from "./useGoing";
import { useHelpShown } from "./useHelpShown";
import { useStay } from "./useStay";
import { useWork, type Work } from "./useWork";

export type Overlay = "keys" | "skip" | "codebook" | null;

export interface WorkbenchProps {
  assignment: Assignment;
  projectId: string;
  going: Going;
  /** Show the item anew, as it is stored. */
  onUndone: () => void;
}

const NO_KEYS: ReadonlySet<string> = new Set();

/** Everything that the labelling screen of one item knows and can do. */
export interface Workbench {
  stages: readonly StageDefinition[];
  work: Work;
  refs: Refs;
  overlay: Overlay;
  setOverlay: (overlay: Overlay) => void;
  helpShown: boolean;
  commentShown: boolean;
  /** Why the last submit did not go through, in words. */
  problem: string | null;
  submit: (skipReason?: string) => Promise<void>;
  setLevel: (level: ContextLevel) => void;
  /** What the last answer did to other stages, in words; empty when it did nothing. */
  change: string;
  hands: Hands;
  keys: OptionKeys;
  commands: Commands;
  actions: Action[];
  /** null where the codebook marks no spans. */
  spans: SpanBench | null;
  screenKeys: ScreenKeys;
  /** Keys that the questions cannot have. */
  otherKeys: ReadonlySet<string>;
  /** Every open required stage has its answer, and nothing is missing among the spans. */
  isComplete: boolean;
}

export function useWorkbench(props: WorkbenchProps): Workbench {
  const { assignment, projectId, going } = props;
  const stages = assignment.codebook.definition.stages;
  const work = useWork(assignment, projectId, props.onUndone);
  const refs = useRefs();
  const sheets = useSheets(work.comment !== "", refs);
  const { problem, setProblem, submit } = useSubmit(props, work);
  const setLevel = useLevels(refs, work.openContext);
  const change = useChangeSaid(stages, work.answers);
  const hands = handsOf(stages, work.answers);
  const spans = useSpanBench(assignment, work.spans);
  const otherKeys = spans?.keys.taken ?? NO_KEYS;
  const screenKeys = spans ? SPAN_KEYS : STAGE_KEYS;
  const keys = optionKeys(hands, otherKeys);
  const wider = nextLevel(assignment.item, work.contextOpen);
  const commands: Commands = {
    answer: (stage, label) => {
      setProblem(null);
      work.dispatch({ kind: "answer", stage, label });
    },
    reopen: (stage) => work.dispatch({ kind: "reopen", stage }),
    fold: () => work.dispatch({ kind: "fold" }),
    submit: () => void submit(),
    back: () => going.back?.(),
    forward: () => going.forward?.(),
    openContext: () => wider && setLevel(wider),
    closeContext: () => setLevel(levelBelow(assignment.item, work.contextOpen)),
    toggleHelp: sheets.toggleHelp,
    comment: sheets.writeComment,
    skip: () => sheets.setOverlay("skip"),
    codebook: () => sheets.setOverlay("codebook"),
    keys: () => sheets.setOverlay("keys"),
  };
  const canFold = work.answers.reopened !== null;
  const enabled = {
    back: going.back !== null,
    forward: going.forward !== null,
    openContext: wider !== null,
    closeContext: work.contextOpen !== "sentence",
  };
  const answering = answerActions(work.answers, hands, keys, otherKeys, stages, commands);
  const marking = spans?.actions.filter(({ key }) => key !== "escape" || !canFold) ?? [];
  const actions = [...screenActions(commands, enabled, screenKeys), ...answering, ...marking];
  const isComplete =
    missingStages(stages, work.answers.given).length === 0 && (work.spans?.faults.length ?? 0) === 0;
  return {
    stages,
    work,
    refs,
    ...sheets,
    problem,
    submit,
    setLevel,
    change,
    hands,
    keys,
    commands,
    actions,
    spans,
    screenKeys,
    otherKeys,
    isComplete,
  };
}

/** What may lie over or beside the questions: dialogs, the codebook's help, the comment box. */
function useSheets(hasComment: boolean, refs: Refs) {
  const [overlay, setOverlay] = useState<Overlay>(null);
  const [helpShown, toggleHelp] = useHelpShown();
  const [commentShown, setCommentShown] = useState(hasComment);
  const writeComment = () => {
    flushSync(() => setCommentShown(true));
    refs.comment.current?.focus();
  };
  return { overlay, setOverlay, helpShown, toggleHelp, commentShown, writeComment };
}

/** Says every change aloud; on the page a newly opened question shows itself, so only the others are written. */
function useChangeSaid(stages: readonly StageDefinition[], answers: AnswerState): string {
  const announce = useAnnounce();
  const { change } = answers;
  const said = change ? changeWords(stages, change) : "";
  useEffect(() => {
    if (said) announce(said);
  }, [said, announce]);
  return change ? changeWords(stages, { ...change, opened: [] }) : "";
}

function answerActions(
  answers: AnswerState,
  hands: Hands,
  keys: OptionKeys,
  others: ReadonlySet<string>,
  stages: readonly StageDefinition[],
  commands: Commands,
): Action[] {
  const counted = openAnswers(stages, answers.given);
  const open = openStages(stages, answers.given);
  return [
    ...labelActions(hands, keys, commands.answer),
    ...reopenActions(open, (stage) => stage in counted, keys, others, commands.reopen),
    ...(stages.length > 0 ? [foldAction(answers.reopened !== null, commands.fold)] : []),
  ];
}

export interface Refs {
  page: RefObject<HTMLElement | null>;
  section: RefObject<HTMLElement | null>;
  mark: RefObject<HTMLElement | null>;
  submit: RefObject<HTMLButtonElement | null>;
  comment: RefObject<HTMLTextAreaElement | null>;
}

function useRefs(): Refs {
  return {
    page: useRef<HTMLElement>(null),
    section: useRef<HTMLElement>(null),
    mark: useRef<HTMLElement>(null),
    submit: useRef<HTMLButtonElement>(null),
    comment: useRef<HTMLTextAreaElement>(null),
  };
}

function useLevels(refs: Refs, openContext: (level: ContextLevel) => void) {
  const announce = useAnnounce();
  const stay = useStay(refs.mark, refs.page);
  return (level: ContextLevel) => {
    stay();
    openContext(level);
    announce(`Context: ${RUNG_TITLES[level]}.`);
  };
}

function useSubmit(props: WorkbenchProps, work: Work) {
  const [found, setFound] = useState<{ words: string; marked: unknown } | null>(null);
  const marked = work.spans?.spans;
  const setProblem = (words: string | null) => setFound(words === null ? null : { words, marked });
  // Of spans that have changed since, it may no longer be true.
  const problem = found?.marked === marked ? (found?.words ?? null) : null;
  const announce = useAnnounce();
  const busy = useRef(false);
  const say = (words: string) => {
    setProblem(words);
    announce(words);
  };
  const submit = async (skipReason?: string) => {
    if (busy.current) return;
    const obstacle = obstacleTo(props.assignment, work, skipReason);
    if (obstacle) return say(obstacle);
    if (work.beginning.stored && !work.isChanged && !skipReason) {
      if (props.going.forward) return props.going.forward();
      return void work.undo().then(props.onUndone);
    }
    busy.current = true;
    props.going.leaving();
    try {
      await work.commit(skipReason);
      props.going.committed();
    } catch (error) {
      say(errorWords(error));
    } finally {
      busy.current = false;
    }
  };
  return { problem, setProblem, submit };
}

function obstacleTo(assignment: Assignment, work: Work, skipReason?: string): string | null {
  if (skipReason) return null;
  if (work.beginning.skipReason && !work.isChanged) return null;
  const missing = missingStages(assignment.codebook.definition.stages, work.answers.given);
  if (missing.length > 0) return `Answer first: ${missing.map((stage) => stage.title).join(", ")}`;
  const faults = work.spans?.faults ?? [];
  return faults.length === 0 ? null : `Not complete yet. ${missingWords(faults)}`;
}
