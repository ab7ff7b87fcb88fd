import { counted, sizeWords } from "../../text/format";
import type { Job, Overview, WorkerStates } from "./api";
import { roughly, sinceWords } from "./copy";

interface HealthProps {
  overview: Overview;
  now: number;
}

/** What runs, and what waits for it, in words. */
export function Health({ overview: { workers, jobs, disk }, now }: HealthProps) {
  return (
    <section className="card stack" aria-labelledby="health">
      <h2 id="health">Workers and queue</h2>
      <ul className="health-lines">
        <li>
          <span className={workers.broker ? "health" : "health down"}>
            {workers.broker
              ? "The job queue answers."
              : "The job queue does not answer: nothing new can begin. Start it again."}
          </span>
        </li>
        <WorkerLine name="model worker" does="training and no scoring" worker={workers.models} now={now} />
        <WorkerLine
          name="import and release worker"
          does="import and no release"
          worker={workers.light}
          now={now}
        />
        {disk.low && (
          <li>
            <span className="health down">
              Less than {sizeWords(disk.reserve_bytes)} are free on the server's disk. Uploads are refused
              until its operator frees some space.
            </span>
          </li>
        )}
      </ul>
      {jobs.length === 0 ? (
        <p className="small mute">Nothing is at work and nothing waits.</p>
      ) : (
        <ul className="health-lines">
          {jobs.slice(0, 4).map((job) => (
            <li key={`${job.kind} ${job.name} ${job.created_at}`}>{jobWords(job, now)}</li>
          ))}
          {jobs.length > 4 && <li className="mute">and {counted(jobs.length - 4, "other")}</li>}
        </ul>
      )}
    </section>
  );
}

interface WorkerLineProps {
  name: string;
  does: string;
  worker: WorkerStates["models"];
  now: number;
}

function WorkerLine({ name, does, worker, now }: WorkerLineProps) {
  const seen = worker.seen_at === null ? "never seen" : `last seen ${sinceWords(worker.seen_at, now)} ago`;
  return (
    <li>
      <span className={worker.alive ? "health" : "health down"}>
        {worker.alive
          ? `The ${name} runs.`
          : `The ${name} has stopped (${seen}): no ${does} until it is started again.`}
      </span>
    </li>
  );
}

const KINDS: Partial<Record<Job["kind"], string>> = {
  import: "Import of",
  simulation: "Simulation",
  evaluation: "Evaluation",
  interpretation: "Interpretation",
  suggestions: "Suggestions of alike strings",
};

function jobWords({ kind, name, at_work, created_at }: Job, now: number): string {
  const called = [KINDS[kind], name].filter(Boolean).join(" ");
  const since = roughly(now - Date.parse(created_at));
  return at_work
    ? `${called} is at work, begun ${since} ago.`
    : `${called} waits for a worker, for ${since}.`;
}
