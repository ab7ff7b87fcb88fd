import { Link } from "react-router";
import { type Column, DataTable } from "../../components/DataTable";
import { Meter } from "../../components/Meter";
import { count, counted } from "../../text/format";
import type { OpenBatch, Overview, Person } from "./api";
import { batchName, idleWords, partWords, personWords } from "./copy";

interface ProgressProps {
  overview: Overview;
  /** When the answer came, in milliseconds: how long ago things were is counted from there. */
  now: number;
}

/** What is open and who is at it: counts and times, never what anybody answered. */
export function Progress({ overview, now }: ProgressProps) {
  const { batches, people, idle_after_hours, project } = overview;
  if (batches.length === 0) return <NoBatch />;
  return (
    <section className="card stack progress" aria-labelledby="batches">
      <h2 id="batches" className="visually-hidden">
        Open batches
      </h2>
      <ul className="open-batches">
        {batches.map((batch) => (
          <BatchLine key={batch.id} batch={batch} projectId={project.id} />
        ))}
      </ul>
      <p className={people.some(({ idle }) => idle) ? "small idle-line" : "small mute"}>
        {idleWords(people, idle_after_hours)}
      </p>
      <DataTable
        title="Progress by annotator"
        className="people-table"
        rows={people}
        keyOf={({ id }) => id}
        classOf={rowClass}
        columns={[
          ["Person", ({ display_name }) => display_name],
          ...batches.map(
            (batch): Column<Person> => [batchName(batch), (person) => <Part part={partOf(person, batch)} />],
          ),
          ["State", (person) => personWords(person, now), "nowrap person-state"],
        ]}
      />
    </section>
  );
}

function BatchLine({ batch, projectId }: { batch: OpenBatch; projectId: string }) {
  return (
    <li>
      <h3>{batchName(batch)}</h3>
      <span className="small numbers">
        {counted(batch.size, "item")}; {count(batch.done)} of {count(batch.total)} assignments done
        {batch.complete && ": complete"}
      </span>
      <Link className="small" to={`/projects/${projectId}/rounds`}>
        Rounds<span className="visually-hidden">: {batchName(batch)}</span>
      </Link>
      <Meter share={batch.total === 0 ? 0 : batch.done / batch.total} />
    </li>
  );
}

function rowClass({ idle, state }: Person): string | undefined {
  if (idle) return "idle";
  return state === "left" ? "gone" : undefined;
}

function partOf(person: Person, batch: OpenBatch): Person["batches"][number] | undefined {
  return person.batches.find((part) => part.batch === batch.id);
}

function Part({ part }: { part: ReturnType<typeof partOf> }) {
  if (!part) return <span className="mute">–</span>;
  return (
    <span className="part">
      <Meter share={part.total === 0 ? 0 : part.done / part.total} />
      <span className="numbers">{partWords(part)}</span>
    </span>
  );
}

function NoBatch() {
  return (
    <section className="card stack" aria-labelledby="batches">
      <h2 id="batches">No batch is open</h2>
      <p>
        When a batch is open, the progress of each annotator stands here: counts only, never their answers.
      </p>
    </section>
  );
}
