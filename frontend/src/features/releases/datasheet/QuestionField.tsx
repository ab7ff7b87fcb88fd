import { memo } from "react";
import { Markdown } from "../../../components/Markdown";
import { useProject } from "../../../session/project";
import { isOpen, type Question } from "./api";
import { writingWords } from "./copy";
import type { Desk } from "./desk";
import { StaleChoice } from "./StaleChoice";
import { useWriting } from "./useDesk";

export const fieldId = (key: string) => `answer-${key}`;
export const questionId = (key: string) => `question-${key}`;

/** One question: what the data say, what a person says, and whether that is saved. */
export const QuestionField = memo(function QuestionField({
  question,
  desk,
}: {
  question: Question;
  desk: Desk;
}) {
  const { key, text, help, computed } = question;
  const id = fieldId(key);
  return (
    <section className="question" id={questionId(key)} aria-labelledby={`${id}-title`}>
      <div className="stack-tight">
        <h3 id={`${id}-title`}>
          {text} {isOpen(question) && <span className="tag warn">open</span>}
        </h3>
        <p className="small mute" id={`${id}-help`}>
          {help}
        </p>
      </div>
      {computed && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, and this has none.
        <div className="computed" role="group" aria-labelledby={`${id}-computed`}>
          <p className="small mute" id={`${id}-computed`}>
            From the data, kept up to date
          </p>
          <Markdown text={computed} top={4} />
        </div>
      )}
      <Answer question={question} desk={desk} />
    </section>
  );
});

function Answer({ question, desk }: { question: Question; desk: Desk }) {
  const { time_zone } = useProject();
  const [writer, writing] = useWriting(desk, question);
  const id = fieldId(question.key);
  const { words, tone } = writingWords(writing, time_zone);
  const isBad = writing.status === "refused" || writing.status === "stale";
  return (
    <div className="stack-tight">
      <div className="answer-head">
        <label id={`${id}-label`} htmlFor={id}>
          {labelOf(question)}
        </label>
        <span className={`small answer-status ${tone}`} id={`${id}-status`}>
          {words}
        </span>
      </div>
      <textarea
        id={id}
        className="input answer"
        aria-labelledby={`${id}-label ${id}-title`}
        aria-describedby={`${id}-help ${id}-status`}
        aria-invalid={isBad || undefined}
        value={writing.text}
        rows={2}
        onChange={(event) => writer.type(event.currentTarget.value)}
        onBlur={() => writer.flush()}
      />
      {writing.status === "stale" && <StaleChoice writer={writer} writing={writing} fieldId={id} />}
    </div>
  );
}

function labelOf({ needs_answer, computed }: Question): string {
  if (needs_answer) return "Your answer";
  return computed ? "What is to be added, if anything" : "Your answer, if any";
}
