import { type Ref, useId } from "react";
import type { ContextLevel, StageDefinition } from "../../api/types";
import { InlineMarkdown } from "../../components/Markdown";
import { asksForContext, openedWords } from "../copy";
import { questionType } from "../questionTypes";
import { StageHelp } from "./StageHelp";

interface StageCardProps {
  stage: StageDefinition;
  keys: readonly (string | null)[];
  answer: string | undefined;
  isCurrent: boolean;
  contextOpened: ContextLevel;
  showHelp: boolean;
  suggested?: string;
  onAnswer: (label: string) => void;
  cardRef?: Ref<HTMLFieldSetElement>;
}

/** An open question with the form of its type. */
export function StageCard(props: StageCardProps) {
  const { stage, keys, answer, isCurrent, contextOpened, showHelp, suggested, onAnswer, cardRef } = props;
  const id = useId();
  const { Form } = questionType(stage);
  return (
    <fieldset
      className={isCurrent ? "stage card now" : "stage card"}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-prompt`}
      ref={cardRef}
      tabIndex={-1}
    >
      <h2 id={`${id}-title`}>
        {stage.title}
        {stage.required === false && <span className="mute"> (may be left out)</span>}
      </h2>
      <p className="prompt" id={`${id}-prompt`}>
        <InlineMarkdown text={stage.prompt} />{" "}
        {isCurrent && asksForContext(stage) && openedWords(contextOpened)}
      </p>
      {suggested && <p className="suggested small">{suggested}</p>}
      <Form
        // What is put together starts anew from another answer.
        key={answer ?? ""}
        stage={stage}
        keys={keys}
        answer={answer}
        isCurrent={isCurrent}
        onAnswer={onAnswer}
      />
      {showHelp && isCurrent && <StageHelp stage={stage} />}
    </fieldset>
  );
}
