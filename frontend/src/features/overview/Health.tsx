import { useQuery } from "@tanstack/react-query";
import { workersQuery } from "../../api/queries";
import type { Liveness, Workers } from "../../api/types";
import { NotLoaded } from "../../components/Refusal";
import { capitalised, counted, duration } from "../../components/words";
import { importsQuery, isRunning } from "../import/api";
import type { RoundsPage } from "../rounds/api";
import { isMachine, stateWords } from "../rounds/state";

interface HealthProps {
  projectId: string;
  page: RoundsPage;
}

/** What runs, and what waits for it, in words. */
export function Health({ projectId, page }: HealthProps) {
  const { data: workers, error, refetch } = useQuery(workersQuery(projectId));
  const { data: imports = [] } = useQuery(importsQuery(projectId));
  const queued = imports.filter(isRunning);
  const round = page.rounds.find(isMachine);
  return (
    <section className="card stack" aria-labelledby="health">
      <h2 id="health">Workers and queue</h2>
      {error && <NotLoaded what="The state of the workers" error={error} retry={refetch} />}
      {workers && <Lines workers={workers} />}
      <p className="small mute">
        {queued.length === 0
          ? "No import waits."
          : `${counted(queued.length, "import")} in the queue or at work: ${queued.map((job) => job.filename).join(", ")}.`}{" "}
        {round ? `${capitalised(`round ${round.number}`)}: ${stateWords(round)}.` : "No round is at work."}
      </p>
    </section>
  );
}

function Lines({ workers }: { workers: Workers }) {
  return (
    <ul className="health-lines">
      <li>
        <span className={workers.broker ? "health" : "health down"}>
          {workers.broker
            ? "The message broker answers."
            : "The message broker does not answer: nothing new can begin. Start it again."}
        </span>
      </li>
      <WorkerLine name="model worker" does="training and no scoring" worker={workers.models} />
      <WorkerLine name="light worker" does="import" worker={workers.light} />
    </ul>
  );
}

function WorkerLine({ name, does, worker }: { name: string; does: string; worker: Liveness }) {
  const seen = worker.seen_seconds_ago;
  const ago = seen === null ? "never seen" : `seen ${duration(seen)} ago`;
  return (
    <li>
      <span className={worker.alive ? "health" : "health down"}>
        {worker.alive
          ? `The ${name} runs (${ago}).`
          : `The ${name} has stopped (${ago}): no ${does} until it is started again.`}
      </span>
    </li>
  );
}
