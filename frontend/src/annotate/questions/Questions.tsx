import { type RefObject, useLayoutEffect, useRef } from "react";
import type { ContextLevel, StageDefinition } from "../../api/types";
import type { AnswerState, QuestionState } from "./answers";
import { openAnswers, openStages } from "./gates";
import { type OptionKeys, reopenKey } from "./optionKeys";
import { StageCard } from "./StageCard";
import { StageLine } from "./StageLine";

interface QuestionsProps {
  stages: readonly StageDefinition[];
  answers: AnswerState;
  questions: QuestionState;
  keys: OptionKeys;
  otherKeys?: ReadonlySet<string>;
  contextOpened: ContextLevel;
  showHelp: boolean;
  /** Where an answered stage's label comes from, where that is not one's own answer. */
  notes?: (stage: string) => string;
  /** What a model says of a stage; empty where it says nothing. */
  suggested?: (stage: StageDefinition) => string;
  onAnswer: (stage: string, label: string) => void;
  onReopen: (stage: string) => void;
  submitRef: RefObject<HTMLButtonElement | null>;
}

/** The open stages: answered ones folded to a line, the others as cards. */
export function Questions(props: QuestionsProps) {
  const {
    stages,
    answers,
    questions,
    keys,
    contextOpened,
    showHelp,
    notes,
    suggested,
    onAnswer,
    onReopen,
    submitRef,
  } = props;
  const counted = openAnswers(stages, answers.given);
  const { currentRef, keepFocus } = useFocusOnward(submitRef);
  useKeptInView(currentRef, questions.current?.key);
  return openStages(stages, answers.given).map((stage, place) => {
    const answer = counted[stage.key];
    const isCurrent = stage.key === questions.current?.key;
    if (answer !== undefined && !isCurrent) {
      const reopen = () => {
        keepFocus();
        onReopen(stage.key);
      };
      const keyName = reopenKey(place, keys, props.otherKeys);
      return (
        <StageLine
          key={stage.key}
          stage={stage}
          answer={answer}
          note={notes?.(stage.key)}
          suggested={suggested?.(stage)}
          keyName={keyName}
          onReopen={reopen}
        />
      );
    }
    return (
      <StageCard
        key={stage.key}
        stage={stage}
        keys={keys.get(stage.key) ?? []}
        answer={answer}
        isCurrent={isCurrent}
        contextOpened={contextOpened}
        showHelp={showHelp}
        suggested={suggested?.(stage)}
        onAnswer={(label) => {
          keepFocus();
          onAnswer(stage.key, label);
        }}
        cardRef={isCurrent ? currentRef : undefined}
      />
    );
  });
}

/** An answer by key brings the next question into view, where zoom or a small window leave it below the edge. */
function useKeptInView(currentRef: RefObject<HTMLFieldSetElement | null>, stage: string | undefined) {
  const shown = useRef(stage);
  useLayoutEffect(() => {
    if (shown.current !== stage && stage !== undefined)
      currentRef.current?.scrollIntoView?.({ block: "nearest" });
    shown.current = stage;
  }, [stage, currentRef]);
}

/** A folded card takes the focused button with it: the focus goes on to the question at hand, or to Submit. */
function useFocusOnward(submitRef: RefObject<HTMLButtonElement | null>) {
  const currentRef = useRef<HTMLFieldSetElement>(null);
  const wasInside = useRef(false);
  useLayoutEffect(() => {
    const lost = wasInside.current && document.activeElement === document.body;
    wasInside.current = false;
    if (lost) (currentRef.current ?? submitRef.current)?.focus({ preventScroll: true });
  });
  const keepFocus = () => {
    wasInside.current = document.activeElement !== document.body;
  };
  return { currentRef, keepFocus };
}
