import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { Link } from "react-router";
import { isApiError } from "../../api/errors";
import { workersQuery } from "../../api/queries";
import { lightWorkerAway } from "../../app/lightWorker";
import { useProject } from "../../app/project";
import { Labelled } from "../../components/Labelled";
import { Refusal } from "../../components/Refusal";
import { releaseMake, releasesQuery } from "./api";

interface MakeCardProps {
  number: number;
  unfinished: string[];
  isBusy: boolean;
}

/** What is still open, and the button that freezes the data as it is all the same. */
export function MakeCard({ number, unfinished, isBusy }: MakeCardProps) {
  const project = useProject();
  const [notes, setNotes] = useState("");
  const make = useMake(project.id);
  const { data: workers } = useQuery(workersQuery(project.id));
  const away = workers && lightWorkerAway(workers, "makes releases", "make the release");
  const whyId = useId();
  const errors = isApiError(make.error) ? make.error.fields : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!away && !isBusy && !make.isPending) make.mutate(notes, { onSuccess: () => setNotes("") });
  };
  return (
    <form className="card stack" onSubmit={submit} aria-label={`Make release ${number}`} noValidate>
      <h2>Make release {number}</h2>
      <Unfinished lines={unfinished} />
      <Labelled
        label="Notes"
        hint="What is new in it, or what it is for. They stand in its card."
        errors={errors.notes}
      >
        {(control) => (
          <textarea {...control} value={notes} onChange={(event) => setNotes(event.currentTarget.value)} />
        )}
      </Labelled>
      <Refusal error={make.error} placed={(field) => field === "notes"} />
      {(away || isBusy) && (
        <p className={away ? "notice bad" : "notice"} id={whyId} role={away ? "alert" : undefined}>
          {away || "One at a time: the next can be made once the one above is done."}
        </p>
      )}
      <div className="row">
        <button
          type="submit"
          className="button primary"
          disabled={make.isPending}
          aria-disabled={Boolean(away) || isBusy || undefined}
          aria-describedby={away || isBusy ? whyId : undefined}
        >
          Make release {number}
        </button>
      </div>
    </form>
  );
}

/** Asks for one; the list, which then has it, is asked again whatever came of it. */
export function useMake(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (notes: string) => releaseMake(projectId, notes),
    onSettled: () => client.invalidateQueries({ queryKey: releasesQuery(projectId).queryKey }),
  });
}

function Unfinished({ lines }: { lines: string[] }) {
  const { id, has_stages } = useProject();
  const base = `/projects/${id}`;
  if (lines.length === 0)
    return <p className="notice ok">Nothing is open: the data is ready to be released.</p>;
  return (
    <div className="notice warn stack-tight">
      <p>
        <b>Not finished yet.</b> A release can be made all the same: it holds what is there.
      </p>
      <ul className="reasons">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p className="small row">
        Where to finish it: <Link to={`${base}/releases/datasheet?show=open`}>Datasheet</Link>
        <Link to={`${base}/rounds`}>Rounds</Link>
        {has_stages && <Link to={`${base}/adjudication`}>Disagreements</Link>}
      </p>
    </div>
  );
}
