import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { isApiError } from "../../api/errors";
import { isUnfinished } from "../../api/jobs";
import { workersQuery } from "../../api/queries";
import type { Project, Workers } from "../../api/types";
import { useSaidChange } from "../../components/Announcer";
import { Meter } from "../../components/Meter";
import { NotFoundPage } from "../../components/NotFoundPage";
import { Failure, Loading } from "../../components/states";
import { useZone } from "../../session/project";
import { duration, moment } from "../../text/format";
import { CancelSimulation, RestartSimulation } from "./actions";
import { type SimulationDetail, simulationQuery } from "./api";
import { nowWords, progressWords, stateWords } from "./copy";
import { Downloads } from "./Downloads";
import { Partial } from "./Partial";
import { Results } from "./Results";
import { Setup } from "./Setup";

export function Detail({ id, project }: { id: string; project: Project }) {
  const zone = useZone();
  const { data, error, refetch } = useQuery(simulationQuery(id));
  useSaidChange(data ? `The simulation is ${stateWords(data)}.` : "");
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <Loading what="the simulation" />;
  return (
    <main className="page" id="main">
      <div className="page-head">
        <p className="small">
          <Link to={`/projects/${project.id}/simulations`}>All simulations</Link>
        </p>
        <h1>{data.name}</h1>
        <p className="mute">
          Started by {data.created_by}, {moment(data.created_at, zone)}.
        </p>
      </div>
      {error && (
        <p className="notice bad" role="alert">
          The server cannot be reached: what is shown may be old. Trying again.
        </p>
      )}
      {data.notices.map((notice) => (
        <p key={notice} className="notice warn">
          {notice}
        </p>
      ))}
      {data.state === "done" ? <Done simulation={data} /> : <Now simulation={data} project={project} />}
      {data.state === "done" ? <Results simulation={data} /> : <Partial simulation={data} />}
      <Setup simulation={data} />
    </main>
  );
}

/** Where it is, and what can be done about it. */
function Now({ simulation, project }: { simulation: SimulationDetail; project: Project }) {
  const { data: workers } = useQuery(workersQuery(project.id));
  const open = isUnfinished(simulation);
  return (
    <section className="card now stack" aria-labelledby="now">
      <div className="card-head">
        <h2 id="now">{capital(stateWords(simulation))}</h2>
        <span className="small numbers">{progressWords(simulation)}</span>
      </div>
      <Meter share={simulation.progress.fraction} />
      {open && <Going simulation={simulation} workers={workers} />}
      {simulation.state === "failed" && <Failed simulation={simulation} />}
      {simulation.state === "cancelled" && (
        <p>It was cancelled. What was done is kept: it can go on from there.</p>
      )}
      <div className="row">
        {open ? (
          <CancelSimulation simulation={simulation} projectId={project.id} />
        ) : (
          <RestartSimulation simulation={simulation} projectId={project.id} />
        )}
      </div>
    </section>
  );
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Going({ simulation, workers }: { simulation: SimulationDetail; workers: Workers | undefined }) {
  if (workers && !workers.models.alive) {
    const seen = workers.models.seen_seconds_ago;
    return (
      <p className="notice bad" role="alert">
        The model worker has stopped ({seen === null ? "never seen" : `last seen ${duration(seen)} ago`}).
        Start it again: the simulation then goes on by itself from its last finished batch.
      </p>
    );
  }
  const now = nowWords(simulation.progress.detail);
  const words =
    now ||
    (simulation.state === "waiting" ? "It begins as soon as the model worker is free. Rounds go first." : "");
  return <p className="small mute">{words} You need not wait here: it goes on without this page.</p>;
}

function Failed({ simulation }: { simulation: SimulationDetail }) {
  return (
    <div className="notice bad stack-tight" role="alert">
      <p>
        <b>It stopped after {progressWords(simulation)}.</b>
      </p>
      <p className="failure">{simulation.failure}</p>
      <p>
        Mend what it names, then let it go on from its last finished batch. Where that cannot be, begin anew:
        nothing of what was done is then used.
      </p>
    </div>
  );
}

function Done({ simulation }: { simulation: SimulationDetail }) {
  return (
    <section className="card stack" aria-labelledby="done">
      <div className="card-head">
        <h2 id="done">Done</h2>
        <span className="small mute numbers">
          {progressWords(simulation)} in {duration(simulation.progress.seconds)}
        </span>
      </div>
      <Downloads simulation={simulation} />
    </section>
  );
}
