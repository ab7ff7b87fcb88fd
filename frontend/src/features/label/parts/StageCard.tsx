import { type Ref, useId } from "react";
import type { ContextLevel, StageDefinition } from "../../../api/types";
import { Key } from "../../../components/Key";
import { InlineMarkdown } from "../../../components/Markdown";
import { asksForContext, openedWords } from "../model/wording";
import { StageHelp } from "./StageHelp";

interface StageCardProps {
  stage: StageDefinition;
  keys: readonly (string | null)[];
  answer: string | undefined;
  isAtHand: boolean;
  contextOpened: ContextLevel;
  showHelp: boolean;
  onAnswer: (label: string) => void;
  cardRef?: Ref<HTMLFieldSetElement>;
}

/** An open question with a button for each label. */
export function StageCard(props: StageCardProps) {
  const { stage, keys, answer, isAtHand, contextOpened, showHelp, onAnswer, cardRef } = props;
  const id = useId();
  return (
    <fieldset
      className={isAtHand ? "stage card now" : "stage card"}
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
        {isAtHand && asksForContext(stage) && openedWords(contextOpened)}
      </p>
      <div className="options">
        {stage.labels.map((label, place) => (
          <OptionButton
            key={label.key}
            name={label.name}
            keyName={keys[place] ?? null}
            isChosen={label.key === answer}
            onChoose={() => onAnswer(label.key)}
          />
        ))}
      </div>
      {showHelp && isAtHand && <StageHelp stage={stage} />}
    </fieldset>
  );
}

interface OptionButtonProps {
  name: string;
  keyName: string | null;
  isChosen: boolean;
  onChoose: () => void;
}

function OptionButton({ name, keyName, isChosen, onChoose }: OptionButtonProps) {
  return (
    <button
      type="button"
      className={isChosen ? "option chosen" : "option"}
      aria-pressed={isChosen}
      aria-keyshortcuts={keyName ?? undefined}
      onClick={onChoose}
    >
      <span>{name}</span>
      {keyName && <Key name={keyName} />}
    </button>
  );
}
