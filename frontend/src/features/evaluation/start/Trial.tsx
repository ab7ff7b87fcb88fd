import { useMutation, useQuery } from "@tanstack/react-query";
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
  /** The last trial of this form. */
  id: string | null;
  onTried: (id: string) => void;
}

/** Asks the language models about a few items, and shows prompt, raw answer and how it was read. */
export function Trial({ choices, spec, projectId, away, id, onTried }: TrialProps) {
  const trying = useMutation({
    mutationFn: () => evaluationApi.start(projectId, trialBody(spec, choices), null),
    onSuccess: (made) => onTried(made.id),
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
      <p role="status">
        The trial is {stateWords(data)}.{" "}
        {data.state === "done" && "What came stands at the end of this page."}
      </p>
      {data.state === "failed" && (
        <p className="notice bad failure" role="alert">
          {data.failure}
        </p>
      )}
      {data.state !== "done" && <ProgressTable systems={data.progress.systems} />}
    </>
  );
}

/** What a trial asked and got: at the end of the page, as it is long. */
export function TriedAtEnd({ id }: { id: string }) {
  const { data } = useQuery(evaluationQuery(id));
  return data ? <TriedItems evaluation={data} /> : null;
}
