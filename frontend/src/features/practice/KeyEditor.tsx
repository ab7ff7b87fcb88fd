import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useReducer, useRef, useState } from "react";
import { answerName } from "../../annotate/copy";
import {
  type AnswerState,
  answerReducer,
  answersFrom,
  questionState,
} from "../../annotate/questions/answers";
import { openAnswers } from "../../annotate/questions/gates";
import { Questions } from "../../annotate/questions/Questions";
import { confirmPending } from "../../annotate/questionTypes/questionType";
import { isApiError } from "../../api/errors";
import { type PracticeDetail, type PracticeItem, practiceApi, practiceQuery } from "../../api/practice";
import type { Answers, StageDefinition } from "../../api/types";
import { CancelButton } from "../../components/Dialog";
import { Labelled } from "../../components/Labelled";
import { Refusal } from "../../components/Refusal";
import { KeptNotice } from "../../kept/KeptNotice";
import { type KeptForm, useKept } from "../../kept/useKept";

const NO_KEYS = new Map();
/** No key opens a question again here, since the page has other forms: none is named. */
const ALL_DIGITS = new Set("123456789");

interface KeyEditorProps {
  detail: PracticeDetail;
  row: PracticeItem;
  onStored: (detail: PracticeDetail) => void;
  onClose: () => void;
}

interface Written {
  given: Answers;
  explanation: string;
  explanations: Record<string, string>;
}

function writtenIn({ answers, explanation, explanations }: PracticeItem): Written {
  return { given: answers ?? {}, explanation, explanations };
}

/** Whether the server holds what was typed. It strips explanations and keeps no empty ones. */
function isStored(row: PracticeItem, key: Answers, typed: Written): boolean {
  const stored = row.answers ?? {};
  const names = new Set([...Object.keys(stored), ...Object.keys(key)]);
  const isSame = (one = "", other = "") => one.trim() === other.trim();
  return (
    isSame(row.explanation, typed.explanation) &&
    [...names].every(
      (name) =>
        JSON.stringify(stored[name]) === JSON.stringify(key[name]) &&
        isSame(row.explanations[name], typed.explanations[name]),
    )
  );
}

/** Writes the key of one item. What is typed is kept, beside the version of the key that it was begun with. */
export function KeyEditor(props: KeyEditorProps) {
  const { practice } = props.detail;
  const { row } = props;
  const form = useKept(`practice-key.${practice.id}.${row.item.id}`, writtenIn(row), String(row.version));
  // Another text stands in the form than what was typed here: the questions begin with it.
  const [turn, setTurn] = useState(0);
  return <Writing key={turn} {...props} form={form} onReplaced={() => setTurn((before) => before + 1)} />;
}

interface WritingProps extends KeyEditorProps {
  form: KeptForm<Written>;
  onReplaced: () => void;
}

/** The questions of the labelling screen. A free text is not compared, so not asked. */
function Writing({ detail, row, form, onStored, onClose, onReplaced }: WritingProps) {
  const { practice, codebook } = detail;
  const { item } = row;
  const stages = codebook.definition.stages.filter(({ type }) => type !== "text");
  const [answers, dispatch] = useReducer(
    (state: AnswerState, action: Parameters<typeof answerReducer>[2]) => answerReducer(stages, state, action),
    form.value.given,
    answersFrom,
  );
  const { set } = form;
  const latest = useRef(set);
  useEffect(() => {
    latest.current = set;
  });
  useEffect(() => latest.current((before) => ({ ...before, given: answers.given })), [answers.given]);
  const headRef = useRef<HTMLHeadingElement>(null);
  const storeRef = useRef<HTMLButtonElement>(null);
  useEffect(() => headRef.current?.focus(), []);
  const client = useQueryClient();
  const key = openAnswers(stages, answers.given);
  const explained = stages.filter((stage) => stage.key in key);
  const isEach = explained.length > 1 || explained.some((stage) => form.value.explanations[stage.key]);
  const store = useMutation({
    mutationFn: () =>
      practiceApi.writeKey(practice.id, item.id, {
        answers: key,
        explanation: form.value.explanation,
        explanations: Object.fromEntries(
          explained.map((stage) => [stage.key, form.value.explanations[stage.key] ?? ""]),
        ),
        base_version: Number(form.base),
      }),
    onSuccess: (stored) => {
      form.saved();
      onStored(stored);
    },
    onError: (error) => {
      if (isApiError(error, 409))
        void client.invalidateQueries({ queryKey: practiceQuery(practice.id).queryKey });
    },
  });
  /** Shows the key that the server has, and begins with it. */
  const takeStored = () => {
    form.settled(writtenIn(row), String(row.version));
    form.set(writtenIn(row));
    store.reset();
    onReplaced();
  };
  const isOther = form.base !== String(row.version);
  // The answer to one's own writing was lost: the key that stands there is the one that was typed.
  const isOwn = isOther && isStored(row, key, form.value);
  const isStale = isOther && !isOwn;
  useEffect(() => {
    if (!isOwn) return;
    form.settled(form.value, String(row.version));
    store.reset();
  });
  return (
    <section className="card stack key-editor" aria-labelledby="key-editor">
      <h2 id="key-editor" ref={headRef} tabIndex={-1}>
        Key of {item.external_id}
      </h2>
      <KeptNotice
        form={{
          ...form,
          discard: takeStored,
        }}
        what="the key"
      />
      {isStale && (
        <Meanwhile
          row={row}
          stages={stages}
          onMine={() => {
            store.reset();
            form.settled(writtenIn(row), String(row.version));
          }}
          onTheirs={takeStored}
        />
      )}
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
      {isEach &&
        explained.map((stage) => (
          <Explanation
            key={stage.key}
            label={`Why ${answerName(stage, key[stage.key])}, at ${stage.title}`}
            hint="Annotators read it below the answer to this question."
            words={form.value.explanations[stage.key] ?? ""}
            onWords={(words) =>
              form.set((before) => ({
                ...before,
                explanations: { ...before.explanations, [stage.key]: words },
              }))
            }
          />
        ))}
      <Explanation
        label={isEach ? "Explanation of the whole" : "Explanation"}
        hint="Annotators read it beside the key, after they have answered."
        words={form.value.explanation}
        onWords={(explanation) => form.set((before) => ({ ...before, explanation }))}
      />
      {!(isStale && isApiError(store.error, 409)) && <Refusal error={store.error} />}
      <div className="row">
        <button
          type="button"
          className="button primary"
          ref={storeRef}
          disabled={store.isPending || isStale}
          onClick={() => confirmPending() || store.mutate()}
        >
          Save the key
        </button>
        <CancelButton onClose={onClose} />
      </div>
    </section>
  );
}

interface ExplanationProps {
  label: string;
  hint: string;
  words: string;
  onWords: (words: string) => void;
}

function Explanation({ label, hint, words, onWords }: ExplanationProps) {
  return (
    <Labelled label={label} hint={hint}>
      {(control) => (
        <textarea
          {...control}
          rows={2}
          maxLength={2000}
          value={words}
          onChange={(event) => onWords(event.currentTarget.value)}
        />
      )}
    </Labelled>
  );
}

interface MeanwhileProps {
  row: PracticeItem;
  stages: readonly StageDefinition[];
  onMine: () => void;
  onTheirs: () => void;
}

/** Another admin wrote the key after this text was begun: a person chooses, and nothing is lost before that. */
function Meanwhile({ row, stages, onMine, onTheirs }: MeanwhileProps) {
  const { answers, explanation, explanations } = row;
  return (
    <div className="notice warn stack-tight" role="alert">
      <p>
        <b>Somebody wrote this key meanwhile.</b> Yours stands below, and only in this browser. Nothing is
        stored until you choose.
      </p>
      <ul>
        {stages
          .filter((stage) => answers && stage.key in answers)
          .map((stage) => (
            <li key={stage.key}>
              {stage.title}: {answerName(stage, answers?.[stage.key])}
              {explanations[stage.key] && `. ${explanations[stage.key]}`}
            </li>
          ))}
        {explanation && <li>Explanation: {explanation}</li>}
      </ul>
      <div className="row">
        <button type="button" className="button" onClick={onMine}>
          Put my key in its place
        </button>
        <button type="button" className="button" onClick={onTheirs}>
          Take their key
        </button>
      </div>
    </div>
  );
}
