import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import {
  type Commands,
  foldAction,
  labelActions,
  reopenActions,
  type ScreenKeys,
  SPAN_KEYS,
  STAGE_KEYS,
  screenActions,
} from "../../annotate/actions";
import { RUNG_TITLES, unopenedLevel } from "../../annotate/copy";
import {
  type AnswerState,
  changeWords,
  type QuestionState,
  questionState,
} from "../../annotate/questions/answers";
import { missingStages, openAnswers, openStages } from "../../annotate/questions/gates";
import { type OptionKeys, optionKeys } from "../../annotate/questions/optionKeys";
import { confirmPending } from "../../annotate/questionTypes/questionType";
import { levelBelow, nextLevel } from "../../annotate/reading/contextLevels";
import { usePreserveScroll } from "../../annotate/reading/usePreserveScroll";
import { missingWords } from "../../annotate/spans/parts/Missing";
import { useHelpShown } from "../../annotate/useHelpShown";
import { errorWords } from "../../api/errors";
import type { Assignment, ContextLevel, StageDefinition } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import { useOwnKeys } from "../../keyboard/ownKeys";
import type { Action } from "../../keyboard/registry";
import type { Unopened } from "./parts/UnopenedDialog";
import { type SpanBench, useSpanBench } from "./spans/useSpanBench";
import type { Navigation } from "./useNavigation";
import { useWork, type Work } from "./useWork";

export type Overlay = "keys" | "skip" | "flag" | "codebook" | null;

export interface WorkbenchProps {
  assignment: Assignment;
  projectId: string;
  navigation: Navigation;
  /** Show the item anew, as it is stored. */
  onUndone: () => void;
  /** A practice was begun, whose items come first. */
  onBegun: () => void;
}

const NO_KEYS: ReadonlySet<string> = new Set();

/** Everything that the labelling screen of one item knows and can do. */
export interface Workbench {
  stages: readonly StageDefinition[];
  work: Work;
  refs: Refs;
  /** An answer about a context that was not opened waits for a word. */
  unopened: Unopened | null;
  setUnopened: (asked: Unopened | null) => void;
  overlay: Overlay;
  setOverlay: (overlay: Overlay) => void;
  helpShown: boolean;
  commentShown: boolean;
  /** Why the last submit did not go through, in words. */
  problem: string | null;
  /** True once it is on this browser's disk. */
  submit: (skipReason?: string) => Promise<boolean>;
  setLevel: (level: ContextLevel) => void;
  /** What the last answer did to other stages, in words; empty when it did nothing. */
  change: string;
  questions: QuestionState;
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
  const { assignment, projectId, navigation } = props;
  const stages = assignment.codebook.definition.stages;
  const work = useWork(assignment, projectId, props.onUndone);
  const refs = useRefs();
  const sheets = useSheets(work.comment !== "", refs);
  const { problem, setProblem, submit } = useSubmit(props, work);
  const setLevel = useLevels(refs, work.openContext);
  const change = useChangeSaid(stages, work.answers);
  const questions = questionState(stages, work.answers);
  const spans = useSpanBench(assignment, work.spans);
  const otherKeys = spans?.keys.taken ?? NO_KEYS;
  const own = useOwnKeys();
  const screenKeys = spans ? SPAN_KEYS : STAGE_KEYS;
  const keys = useMemo(() => optionKeys(stages, otherKeys, own), [stages, otherKeys, own]);
  const wider = nextLevel(assignment.item, work.contextOpen);
  const [unopened, setUnopened] = useState<Unopened | null>(null);
  const commands: Commands = {
    answer: (stage, label) => {
      setProblem(null);
      const level = unopenedIn(stages, stage, label, work);
      if (level) setUnopened(level);
      else work.dispatch({ kind: "answer", stage, label });
    },
    reopen: (stage) => work.dispatch({ kind: "reopen", stage }),
    fold: () => work.dispatch({ kind: "fold" }),
    submit: () => void (confirmPending() || submit()),
    back: () => navigation.back?.(),
    forward: () => navigation.forward?.(),
    openContext: () => wider && setLevel(wider),
    closeContext: () => setLevel(levelBelow(assignment.item, work.contextOpen)),
    toggleHelp: sheets.toggleHelp,
    comment: sheets.writeComment,
    skip: () => sheets.setOverlay("skip"),
    flag: () => sheets.setOverlay("flag"),
    codebook: () => sheets.setOverlay("codebook"),
    keys: () => sheets.setOverlay("keys"),
  };
  const canFold = work.answers.reopened !== null;
  const enabled = {
    back: navigation.back !== null,
    forward: navigation.forward !== null,
    openContext: wider !== null,
    closeContext: work.contextOpen !== "sentence",
  };
  const answering = answerActions(work.answers, questions, keys, otherKeys, stages, commands);
  const marking = spans?.actions.filter(({ key }) => key !== "escape" || !canFold) ?? [];
  const actions = [...screenActions(commands, enabled, screenKeys), ...answering, ...marking];
  const isComplete =
    missingStages(stages, work.answers.given).length === 0 && (work.spans?.faults.length ?? 0) === 0;
  return {
    stages,
    work,
    refs,
    ...sheets,
    unopened,
    setUnopened,
    problem,
    submit,
    setLevel,
    change,
    questions,
    keys,
    commands,
    actions,
    spans,
    screenKeys,
    otherKeys,
    isComplete,
  };
}

/** Nobody is asked about the answer that stands already. */
function unopenedIn(
  stages: readonly StageDefinition[],
  key: string,
  label: string,
  { answers, contextOpened }: Work,
): Unopened | null {
  const stage = stages.find((each) => each.key === key);
  if (!stage || answers.given[key] === label) return null;
  const level = unopenedLevel(stage, label, contextOpened);
  return level && { stage, level };
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
  questions: QuestionState,
  keys: OptionKeys,
  others: ReadonlySet<string>,
  stages: readonly StageDefinition[],
  commands: Commands,
): Action[] {
  const counted = openAnswers(stages, answers.given);
  const open = openStages(stages, answers.given);
  return [
    ...labelActions(questions, keys, commands.answer),
    ...reopenActions(open, (stage) => stage in counted, keys, others, commands.reopen),
    ...(stages.length > 0 ? [foldAction(answers.reopened !== null, commands.fold)] : []),
  ];
}

interface Refs {
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
  const stay = usePreserveScroll(refs.mark, refs.page);
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
  /** True once it is on this browser's disk. */
  const submit = async (skipReason?: string): Promise<boolean> => {
    if (busy.current) return false;
    const obstacle = obstacleTo(props.assignment, work, skipReason);
    if (obstacle) {
      say(obstacle);
      return false;
    }
    if (work.initial.stored && !work.isChanged && !skipReason) {
      if (props.navigation.forward) props.navigation.forward();
      else void work.undo().then(props.onUndone);
      return false;
    }
    busy.current = true;
    props.navigation.leaving();
    try {
      await work.commit(skipReason);
      props.navigation.committed(props.assignment);
      return true;
    } catch (error) {
      say(errorWords(error));
      return false;
    } finally {
      busy.current = false;
    }
  };
  return { problem, setProblem, submit };
}

function obstacleTo(assignment: Assignment, work: Work, skipReason?: string): string | null {
  if (skipReason) return null;
  if (work.initial.skipReason && !work.isChanged) return null;
  const missing = missingStages(assignment.codebook.definition.stages, work.answers.given);
  if (missing.length > 0) return `Answer first: ${missing.map((stage) => stage.title).join(", ")}`;
  const faults = work.spans?.faults ?? [];
  return faults.length === 0 ? null : `Not complete yet. ${missingWords(faults)}`;
}
