import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Refusal } from "../../../components/Refusal";
import { counted } from "../../../text/format";
import { evaluationApi, evaluationQuery } from "../api";
import { stateWords } from "../copy";
import { ProgressTable } from "../Now";
import { TriedItems } from "../TriedItems";
import { chosenModels, type PartProps, TRIAL, trialBody } from "./spec";

interface TrialProps extends PartProps {
  projectId: string;
  /** Why nothing runs now. */
  away: string | null;
}

/** Asks the language models about a few items, and shows prompt, raw answer and how it was read. */
export function Trial({ choices, spec, projectId, away }: TrialProps) {
  const [id, setId] = useState<string | null>(null);
  const trying = useMutation({
    mutationFn: () => evaluationApi.start(projectId, trialBody(spec, choices), null),
    onSuccess: (made) => setId(made.id),
  });
  const models = chosenModels(spec, choices).length;
  const requests = TRIAL * spec.stages.length * models;
  return (
    <section className="card stack" aria-labelledby="trial">
      <div className="stack-tight">
        <h2 id="trial">Try it first</h2>
        <p className="small mute">
          The language models are asked about five items of each stage: {counted(requests, "request")} at
          most. You see each prompt, the raw answer, and how it was read. A trial is stored with a number of
          its own, and stands below the evaluations under Trials.
        </p>
      </div>
      <div className="row">
        <button
          type="button"
          className="button"
          disabled={trying.isPending || spec.stages.length === 0 || away !== null}
          onClick={() => trying.mutate()}
        >
          {id ? "Try it on five items again" : "Try it on five items"}
        </button>
      </div>
      <Refusal error={trying.error} />
      {id && <Tried key={id} id={id} />}
    </section>
  );
}

function Tried({ id }: { id: string }) {
  const { data } = useQuery(evaluationQuery(id));
  if (!data) return null;
  return (
    <>
      <p role="status">The trial is {stateWords(data)}.</p>
      {data.state === "failed" && (
        <p className="notice bad failure" role="alert">
          {data.failure}
        </p>
      )}
      {data.state !== "done" && <ProgressTable systems={data.progress.systems} />}
      <TriedItems evaluation={data} />
    </>
  );
}
