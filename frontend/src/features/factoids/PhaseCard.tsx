import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useRefresh } from "../../api/useRefresh";
import { ConfirmButton } from "../../components/ConfirmButton";
import { type Column, DataTable } from "../../components/DataTable";
import { useProject, useZone } from "../../session/project";
import { moment } from "../../text/format";
import { AddPeople } from "./AddPeople";
import { factoidsApi, setsQuery } from "./api";
import { closingWords, personProgress, phaseTitle } from "./copy";
import { FollowPhase } from "./FollowPhase";
import { ImportList } from "./ImportList";
import { listPath } from "./paths";
import type { Phase, PhasePerson, TextSet } from "./types";

interface PhaseProps {
  phase: Phase;
  set: TextSet;
}

/** One phase: who is how far, and what can be done with it now. */
export function PhaseCard({ phase, set }: PhaseProps) {
  const zone = useZone();
  const isOpen = phase.closed_at === null;
  const isFollowed = set.phases.some(({ follows }) => follows === phase.id);
  const title = phaseTitle(phase);
  return (
    <section className={isOpen ? "phase open stack" : "phase stack"} aria-label={`${title} of ${set.name}`}>
      <div className="card-head">
        <h3>
          {title}{" "}
          {isOpen ? (
            <span className="tag warn">open</span>
          ) : (
            <span className="tag">closed {moment(phase.closed_at ?? "", zone)}</span>
          )}
        </h3>
        {phase.given_version !== null && (
          <span className="small mute">marks version {phase.given_version} of the consensus list</span>
        )}
      </div>
      <People phase={phase} set={set} />
      {isOpen && (
        <div className="row">
          <OpenActs phase={phase} set={set} />
        </div>
      )}
      {!isOpen && !isFollowed && (
        <div className="row">
          <FollowPhase phase={phase} set={set} isNewest={phase === set.phases.at(-1)} />
          <Reopen phase={phase} />
        </div>
      )}
    </section>
  );
}

/** The member whose own open list follows the phase: others' lists of it are closed to them. */
function useBlind({ phase, set }: PhaseProps) {
  const { data } = useQuery(setsQuery(useProject().id));
  const look = set.phases.find(
    ({ follows, step, closed_at }) => follows === phase.id && step === "second_look" && closed_at === null,
  );
  return look?.people.find(({ list }) => data?.mine.some((own) => own.list === list))?.member;
}

function People({ phase, set }: PhaseProps) {
  const { id: projectId } = useProject();
  const zone = useZone();
  // Others' lists are shown to nobody while the phase is open.
  const isReadable = phase.closed_at !== null || phase.step === "consensus";
  const blind = useBlind({ phase, set });
  const columns: Column<PhasePerson>[] = [
    [
      phase.step === "consensus" ? "List" : "Person",
      ({ name, list, member }) =>
        isReadable && (!blind || member === blind) ? (
          <Link to={listPath(projectId, list)}>{name || "The list of all"}</Link>
        ) : (
          name
        ),
    ],
    [
      "Progress",
      (person) => (
        <>
          {personProgress(person, phase)}
          <span className="basis">
            {person.last_at ? `last saved ${moment(person.last_at, zone)}` : "nothing saved yet"}
          </span>
        </>
      ),
    ],
    [
      "State",
      ({ done_at }) =>
        done_at ? <span className="tag ok">done</span> : <span className="tag">not done</span>,
    ],
  ];
  return (
    <DataTable
      title={`Progress in ${phaseTitle(phase)}`}
      className="listed"
      rows={phase.people}
      keyOf={({ list }) => list}
      columns={columns}
    />
  );
}

function useDo() {
  const { id } = useProject();
  const refresh = useRefresh();
  return (act: Promise<unknown>) => act.finally(() => refresh(setsQuery(id).queryKey));
}

function OpenActs({ phase, set }: PhaseProps) {
  const { id: projectId } = useProject();
  const act = useDo();
  return (
    <>
      <ConfirmButton
        button="Close and freeze"
        label={`Close and freeze phase ${phase.number} of ${set.name}`}
        title={`Close phase ${phase.number}?`}
        act="Close and freeze"
        onConfirm={() => act(factoidsApi.close(phase.id))}
      >
        {closingWords(phase).map((words) => (
          <p key={words}>{words}</p>
        ))}
      </ConfirmButton>
      {phase.step === "independent" && <AddPeople phase={phase} />}
      {phase.step === "independent" && <ImportList phase={phase} set={set} />}
      {phase.step === "consensus" && phase.people[0] && (
        <Link className="button primary" to={listPath(projectId, phase.people[0].list)}>
          Decide the open items
        </Link>
      )}
    </>
  );
}

function Reopen({ phase }: { phase: Phase }) {
  const act = useDo();
  return (
    <ConfirmButton
      button="Reopen"
      label={`Reopen phase ${phase.number}`}
      className="button quiet"
      title={`Reopen phase ${phase.number}?`}
      act="Reopen"
      onConfirm={() => act(factoidsApi.reopen(phase.id))}
    >
      <p>
        Its people can change their lists again, and say anew that they are done. Others can no longer read
        them.
      </p>
    </ConfirmButton>
  );
}
