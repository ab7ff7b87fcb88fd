import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { Link } from "react-router";
import { isApiError } from "../../api/errors";
import { workersQuery } from "../../api/queries";
import { CheckChoices } from "../../components/Choices";
import { Confirm } from "../../components/Confirm";
import { Labelled } from "../../components/Labelled";
import { lightWorkerAway } from "../../components/lightWorker";
import { Refusal } from "../../components/Refusal";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { useProject } from "../../session/project";
import { type ReleaseBody, type Releases, releaseMake, releasesQuery, type Unfinished } from "./api";

const BUSY = "One at a time: the next can be made once the one above is done.";

/** Fields of the form, each of which shows its own errors. */
const PLACED = ["notes", "evaluations", "text_sets"];

interface MakeCardProps {
  number: number;
  unfinished: Unfinished[];
  /** Why a release would be empty. */
  nothingYet: string | null;
  isBusy: boolean;
  /** Evaluations that may go into it. */
  evaluations: Releases["evaluations"];
  /** Text sets that may go into it. */
  textSets: Releases["text_sets"];
}

/** What is still open, and the button that freezes the data as it is all the same. */
export function MakeCard({ number, unfinished, nothingYet, isBusy, evaluations, textSets }: MakeCardProps) {
  const project = useProject();
  const notes = useKept(`release-notes.${project.id}`, "");
  const [chosen, setChosen] = useState<string[]>([]);
  const [chosenSets, setChosenSets] = useState<string[]>([]);
  const make = useMake(project.id);
  const { data: workers } = useQuery(workersQuery(project.id));
  // Text sets can be released alone.
  const nothing = nothingYet && chosenSets.length === 0 ? nothingYet : null;
  const away = nothing ? null : workers && lightWorkerAway(workers, "makes releases", "make the release");
  const why = nothing || away || (isBusy ? BUSY : null);
  const whyId = useId();
  const [isAsking, setAsking] = useState(false);
  const errors = isApiError(make.error) ? make.error.fields : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!why && !make.isPending) setAsking(true);
  };
  const confirmed = () => {
    setAsking(false);
    make.mutate(
      { notes: notes.value, evaluations: chosen.map(Number), text_sets: chosenSets },
      {
        onSuccess: () => {
          notes.discard();
          setChosen([]);
          setChosenSets([]);
        },
      },
    );
  };
  return (
    <form className="card stack" onSubmit={submit} aria-label={`Make release ${number}`} noValidate>
      <h2>Make release {number}</h2>
      <StillOpen open={unfinished} isEmpty={nothing !== null} />
      <KeptNotice form={notes} what="the notes" />
      <Labelled
        label="Notes"
        hint="What is new in it, or what it is for. They stand in its card."
        errors={errors.notes}
      >
        {(control) => (
          <textarea
            {...control}
            value={notes.value}
            readOnly={make.isPending}
            onChange={(event) => notes.set(event.currentTarget.value)}
          />
        )}
      </Labelled>
      {evaluations.length > 0 && (
        <CheckChoices
          legend="Evaluations that go into it"
          hint="With their figures, tables and predictions."
          choices={evaluations.map(({ number, name }) => ({
            value: String(number),
            text: `Evaluation ${number}, ${name}`,
          }))}
          values={chosen}
          onValues={setChosen}
          errors={errors.evaluations}
        />
      )}
      {textSets.length > 0 && (
        <CheckChoices
          legend="Text sets that go into it"
          hint="With the factoid lists of closed phases, the published ones, and their figures."
          choices={textSets.map(({ id, name }) => ({ value: id, text: name }))}
          values={chosenSets}
          onValues={setChosenSets}
          errors={errors.text_sets}
        />
      )}
      <Refusal error={make.error} placed={(field) => PLACED.includes(field)} />
      {why && (
        <p className={away ? "notice bad" : "notice"} id={whyId} role={away ? "alert" : undefined}>
          {why}
          {nothing && textSets.length > 0 && " Text sets can be released alone: choose one."}
        </p>
      )}
      <div className="row">
        <button
          type="submit"
          className="button primary"
          disabled={make.isPending}
          aria-disabled={why ? true : undefined}
          aria-describedby={why ? whyId : undefined}
        >
          Make release {number}
        </button>
      </div>
      {isAsking && (
        <Confirm
          title={`Make release ${number}?`}
          act={`Make release ${number}`}
          busy={make.isPending}
          error={null}
          onConfirm={confirmed}
          onClose={() => setAsking(false)}
        >
          <p>
            It freezes the labels, the figures and the datasheet as they are now, under this number. A release
            cannot be changed or taken back; what is answered later stands in the next one.
          </p>
        </Confirm>
      )}
    </form>
  );
}

/** Asks for one; the list, which then has it, is asked again whatever came of it. */
export function useMake(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ReleaseBody) => releaseMake(projectId, body),
    onSettled: () => client.invalidateQueries({ queryKey: releasesQuery(projectId).queryKey }),
  });
}

const PAGES: Record<Unfinished["where"], string> = {
  rounds: "rounds",
  disagreements: "adjudication?kind=open",
  validation: "validation?state=open",
  datasheet: "releases/datasheet?show=open",
};

/** Each sentence leads to where it can be mended. */
function StillOpen({ open, isEmpty }: { open: Unfinished[]; isEmpty: boolean }) {
  const { id } = useProject();
  if (open.length === 0)
    return <p className="notice ok">Nothing is open: the data is ready to be released.</p>;
  return (
    <div className="notice warn stack-tight">
      <p>
        <b>Not finished yet.</b>
        {!isEmpty && " You can still make a release. It holds what is there now."}
      </p>
      <ul className="reasons">
        {open.map(({ text, where }) => (
          <li key={text}>
            <Link to={`/projects/${id}/${PAGES[where]}`}>{text}</Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
