import { useMutation } from "@tanstack/react-query";
import { useEffect, useReducer, useRef } from "react";
import {
  type AnswerState,
  answerReducer,
  answersFrom,
  questionState,
} from "../../annotate/questions/answers";
import { openAnswers } from "../../annotate/questions/gates";
import { Questions } from "../../annotate/questions/Questions";
import { confirmPending } from "../../annotate/questionTypes/questionType";
import { type PracticeDetail, type PracticeItem, practiceApi } from "../../api/practice";
import { CancelButton } from "../../components/Dialog";
import { Labelled } from "../../components/Labelled";
import { Refusal } from "../../components/Refusal";
import { useKept } from "../../kept/useKept";

const NO_KEYS = new Map();
/** No key opens a question again here, since the page has other forms: none is named. */
const ALL_DIGITS = new Set("123456789");

interface KeyEditorProps {
  detail: PracticeDetail;
  row: PracticeItem;
  onStored: (detail: PracticeDetail) => void;
  onClose: () => void;
}

/** Writes the key of one item with the questions of the labelling screen. A free text is not compared, so not asked. */
export function KeyEditor({ detail, row, onStored, onClose }: KeyEditorProps) {
  const { practice, codebook } = detail;
  const { item } = row;
  const stages = codebook.definition.stages.filter(({ type }) => type !== "text");
  const kept = useKept(`practice-key.${practice.id}.${item.id}`, {
    given: row.answers ?? {},
    explanation: row.explanation,
  });
  const [answers, dispatch] = useReducer(
    (state: AnswerState, action: Parameters<typeof answerReducer>[2]) => answerReducer(stages, state, action),
    kept.value.given,
    answersFrom,
  );
  const { set } = kept;
  const latest = useRef(set);
  useEffect(() => {
    latest.current = set;
  });
  useEffect(() => latest.current((before) => ({ ...before, given: answers.given })), [answers.given]);
  const headRef = useRef<HTMLHeadingElement>(null);
  const storeRef = useRef<HTMLButtonElement>(null);
  useEffect(() => headRef.current?.focus(), []);
  const store = useMutation({
    mutationFn: () =>
      practiceApi.writeKey(practice.id, item.id, openAnswers(stages, answers.given), kept.value.explanation),
    onSuccess: (stored) => {
      kept.saved();
      onStored(stored);
    },
  });
  return (
    <section className="card stack key-editor" aria-labelledby="key-editor">
      <h2 id="key-editor" ref={headRef} tabIndex={-1}>
        Key of {item.external_id}
      </h2>
      <p className="key-text" dir="auto">
        {item.context.utterance && <span className="mute">{item.context.utterance.before}</span>}
        <b>{item.text}</b>
        {item.context.utterance && <span className="mute">{item.context.utterance.after}</span>}
      </p>
      <Questions
        stages={stages}
        answers={answers}
        questions={questionState(stages, answers)}
        keys={NO_KEYS}
        otherKeys={ALL_DIGITS}
        contextOpened="sentence"
        showHelp={false}
        onAnswer={(stage, label) => dispatch({ kind: "answer", stage, label })}
        onReopen={(stage) => dispatch({ kind: "reopen", stage })}
        submitRef={storeRef}
      />
      <Labelled label="Explanation" hint="Annotators read it beside the key, after they have answered.">
        {(control) => (
          <textarea
            {...control}
            rows={3}
            maxLength={2000}
            value={kept.value.explanation}
            onChange={(event) => {
              const explanation = event.currentTarget.value;
              kept.set((before) => ({ ...before, explanation }));
            }}
          />
        )}
      </Labelled>
      <Refusal error={store.error} />
      <div className="row">
        <button
          type="button"
          className="button primary"
          ref={storeRef}
          disabled={store.isPending}
          onClick={() => confirmPending() || store.mutate()}
        >
          Save the key
        </button>
        <CancelButton onClose={onClose} />
      </div>
    </section>
  );
}
