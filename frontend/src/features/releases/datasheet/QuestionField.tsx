import { memo } from "react";
import { Markdown } from "../../../components/Markdown";
import { useZone } from "../../../session/project";
import { isOpen, type Question } from "./api";
import { writingWords } from "./copy";
import { StaleChoice } from "./StaleChoice";
import type { SheetAutosave } from "./sheetAutosave";
import { useAutosave } from "./useAutosave";

export const fieldId = (key: string) => `answer-${key}`;
export const questionId = (key: string) => `question-${key}`;

/** One question: what the data say, what a person says, and whether that is saved. */
export const QuestionField = memo(function QuestionField({
  question,
  sheetAutosave,
}: {
  question: Question;
  sheetAutosave: SheetAutosave;
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
      <Answer question={question} sheetAutosave={sheetAutosave} />
    </section>
  );
});

function Answer({ question, sheetAutosave }: { question: Question; sheetAutosave: SheetAutosave }) {
  const zone = useZone();
  const [autosave, state] = useAutosave(sheetAutosave, question);
  const id = fieldId(question.key);
  const { words, tone } = writingWords(state, zone);
  const isBad = state.status === "refused" || state.status === "stale";
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
        value={state.text}
        rows={2}
        onChange={(event) => autosave.type(event.currentTarget.value)}
        onBlur={() => autosave.flush()}
      />
      {state.status === "stale" && <StaleChoice autosave={autosave} state={state} fieldId={id} />}
    </div>
  );
}

function labelOf({ needs_answer, computed }: Question): string {
  if (needs_answer) return "Your answer";
  return computed ? "Anything to add" : "Your answer, if any";
}
