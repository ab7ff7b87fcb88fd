import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useParams } from "react-router";
import { workersQuery } from "../../api/queries";
import type { Project } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import { Failure, Loading, NotLoaded, Status } from "../../components/states";
import { useProject } from "../../session/project";
import { choicesQuery, type Simulation, simulationsQuery } from "./api";
import { stateWords } from "./copy";
import { Detail } from "./Detail";
import { SimulationsTable } from "./SimulationsTable";
import { StartForm } from "./StartForm";
import "../../components/admin.css";
import "../../components/results.css";
import "./simulations.css";

export function Component() {
  const project = useProject();
  const { simulationId } = useParams();
  return simulationId ? (
    <Detail key={simulationId} id={simulationId} project={project} />
  ) : (
    <Simulations project={project} />
  );
}

function Simulations({ project }: { project: Project }) {
  const { data: rows, error, refetch } = useQuery(simulationsQuery(project.id));
  useSaid(rows);
  if (!rows) return error ? <Failure error={error} retry={refetch} /> : <Loading what="the simulations" />;
  return (
    <main className="page" id="main">
      <div className="page-head">
        <h1>Simulations</h1>
        <p className="mute">
          Which strategy would have needed fewer labels? A simulation plays the rounds through on texts that
          are labelled already: their labels answer in the place of people.
        </p>
      </div>
      {error && (
        <p className="notice bad" role="alert">
          The server cannot be reached: what is shown may be old. Trying again.
        </p>
      )}
      {rows.length > 0 && <SimulationsTable rows={rows} project={project} />}
      <NewSimulation project={project} isFirst={rows.length === 0} />
    </main>
  );
}

/** The end of a simulation is said to those who do not see the table. */
function useSaid(rows: Simulation[] | undefined) {
  const announce = useAnnounce();
  const before = useRef(new Map<string, string>());
  useEffect(() => {
    for (const row of rows ?? []) {
      const known = before.current.get(row.id);
      if (known && known !== row.state) announce(`Simulation ${row.name}: ${stateWords(row)}.`);
      before.current.set(row.id, row.state);
    }
  }, [rows, announce]);
}

function NewSimulation({ project, isFirst }: { project: Project; isFirst: boolean }) {
  const [asked, setAsked] = useState(false);
  if (!isFirst && !asked)
    return (
      <p>
        <button type="button" className="button primary" onClick={() => setAsked(true)}>
          New simulation
        </button>
      </p>
    );
  return (
    <section className="card stack" aria-labelledby="new">
      <div className="stack-tight">
        <h2 id="new">{isFirst ? "No simulations yet" : "New simulation"}</h2>
        {isFirst && (
          <p className="lead">
            Compare strategies before people's time is spent on one: on texts with labels of your own, or on
            what this project has labelled so far.
          </p>
        )}
      </div>
      <Form project={project} />
    </section>
  );
}

function Form({ project }: { project: Project }) {
  const { data: choices, error, refetch } = useQuery(choicesQuery(project.id));
  const { data: workers } = useQuery(workersQuery(project.id));
  if (choices) return <StartForm choices={choices} project={project} workers={workers} />;
  if (error) return <NotLoaded what="The form" error={error} retry={refetch} />;
  return <Status>Loading what may be chosen</Status>;
}
