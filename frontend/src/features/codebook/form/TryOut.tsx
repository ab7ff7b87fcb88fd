import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { labelActions } from "../../../annotate/actions";
import {
  type AnswerAction,
  answerReducer,
  answersFrom,
  changeWords,
  questionState,
} from "../../../annotate/questions/answers";
import { optionKeys } from "../../../annotate/questions/optionKeys";
import { Questions } from "../../../annotate/questions/Questions";
import { get } from "../../../api/client";
import type { StageDefinition } from "../../../api/types";
import { useKeyboard } from "../../../keyboard/useKeyboard";
import "../../../annotate/annotate.css";

interface TryOutProps {
  projectId: string;
  stages: readonly StageDefinition[];
}

/** The questions as people will answer them, with their keys, on texts of the project. Nothing is stored. */
export function TryOut({ projectId, stages }: TryOutProps) {
  const [state, setState] = useState(() => answersFrom({}));
  const submitRef = useRef<HTMLButtonElement>(null);
  const keys = useMemo(() => optionKeys(stages), [stages]);
  const questions = questionState(stages, state);
  const act = (action: AnswerAction) => setState((before) => answerReducer(stages, before, action));
  const answer = (stage: string, label: string) => act({ kind: "answer", stage, label });
  useKeyboard(labelActions(questions, keys, answer));
  return (
    <div className="try-out stack">
      <SampleText projectId={projectId} onNext={() => setState(answersFrom({}))} />
      <Questions
        stages={stages}
        answers={state}
        questions={questions}
        keys={keys}
        contextOpened="sentence"
        showHelp
        onAnswer={answer}
        onReopen={(stage) => act({ kind: "reopen", stage })}
        submitRef={submitRef}
      />
      <p className="small mute" role="status">
        {state.change ? changeWords(stages, state.change) : ""}
      </p>
      <div className="row">
        <button type="button" className="button" ref={submitRef} onClick={() => setState(answersFrom({}))}>
          Answer it anew
        </button>
        {!questions.current && <span className="small mute">Here people would submit the item.</span>}
      </div>
    </div>
  );
}

/** A text of the project; the next one begins with no answers. */
function SampleText({ projectId, onNext }: { projectId: string; onNext: () => void }) {
  const [at, setAt] = useState(0);
  const { data } = useQuery({
    queryKey: ["items", projectId, "try-out"],
    queryFn: ({ signal }) =>
      get("/api/projects/{project_id}/items/", {
        params: { path: { project_id: projectId }, query: { state: "pool" } },
        signal,
      }),
  });
  const items = data?.items ?? [];
  const item = items[at % Math.max(1, items.length)];
  if (!item) return <p className="mute">Import texts to try the questions on them.</p>;
  return (
    <div className="card stack-tight">
      <p className="prompt">{item.text}</p>
      {items.length > 1 && (
        <div className="row">
          <button
            type="button"
            className="button quiet"
            onClick={() => {
              setAt(at + 1);
              onNext();
            }}
          >
            Another text
          </button>
        </div>
      )}
    </div>
  );
}
