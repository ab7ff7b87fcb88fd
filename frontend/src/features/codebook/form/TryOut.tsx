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
import type { CodebookDefinition, SpanLayer } from "../../../api/types";
import { useKeyboard } from "../../../keyboard/useKeyboard";
import { TryMarking, useWholeLayer } from "./TryMarking";
import "../../../annotate/annotate.css";

interface TryOutProps {
  projectId: string;
  definition: CodebookDefinition;
}

/** The questions and spans as people will work on them, with their keys, on texts of the project. Nothing is stored. */
export function TryOut({ projectId, definition }: TryOutProps) {
  const { stages } = definition;
  const layer = useWholeLayer(definition.span_layer);
  const [state, setState] = useState(() => answersFrom({}));
  const submitRef = useRef<HTMLButtonElement>(null);
  const keys = useMemo(() => optionKeys(stages), [stages]);
  const questions = questionState(stages, state);
  const act = (action: AnswerAction) => setState((before) => answerReducer(stages, before, action));
  const answer = (stage: string, label: string) => act({ kind: "answer", stage, label });
  useKeyboard(labelActions(questions, keys, answer));
  return (
    <div className="try-out stack">
      <SampleText projectId={projectId} layer={layer} onNext={() => setState(answersFrom({}))} />
      {stages.length > 0 && (
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
      )}
      <p className="small mute" role="status">
        {state.change ? changeWords(stages, state.change) : ""}
      </p>
      <div className="row">
        {stages.length > 0 && (
          <button type="button" className="button" ref={submitRef} onClick={() => setState(answersFrom({}))}>
            Answer it anew
          </button>
        )}
        {stages.length > 0 && !questions.current && (
          <span className="small mute">Here people would submit the item.</span>
        )}
      </div>
    </div>
  );
}

interface SampleTextProps {
  projectId: string;
  layer: SpanLayer | null;
  onNext: () => void;
}

/** A text of the project, to be marked where the codebook marks spans; the next one begins with no answers. */
function SampleText({ projectId, layer, onNext }: SampleTextProps) {
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
    <div className={layer ? "stack-tight" : "card stack-tight"}>
      {layer ? (
        <TryMarking key={item.id} text={item.text} layer={layer} />
      ) : (
        <p className="prompt">{item.text}</p>
      )}
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
