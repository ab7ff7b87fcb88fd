import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link, useParams } from "react-router";
import type { Project } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import { Failure, Loading } from "../../components/states";
import { FeatureUnavailable } from "../../session/FeatureUnavailable";
import { useProject } from "../../session/project";
import { type Interpretation, interpretationsQuery } from "./api";
import { stateWords } from "./copy";
import { Detail } from "./Detail";
import { InterpretationsTable } from "./InterpretationsTable";
import "../../components/admin.css";
import "../../components/results.css";
import "./interpretations.css";

export function Component() {
  const project = useProject();
  const { interpretationId } = useParams();
  return interpretationId ? (
    <Detail key={interpretationId} id={interpretationId} project={project} />
  ) : (
    <List project={project} />
  );
}

function List({ project }: { project: Project }) {
  const { data: rows, error, refetch } = useQuery(interpretationsQuery(project.id));
  useSaid(rows);
  if (!rows)
    return error ? <Failure error={error} retry={refetch} /> : <Loading what="the interpretations" />;
  const here = `/projects/${project.id}/interpretations`;
  return (
    <main className="page" id="main">
      <div className="page-head">
        <h1>Interpretations of sources</h1>
        <p className="mute">
          Can a model write what your people would mark and comment, from the source alone? Models learn it,
          write texts with marked spans, and are tested with equivalence classes.
        </p>
      </div>
      <FeatureUnavailable what="spans" />
      {error && (
        <p className="notice bad" role="alert">
          The server cannot be reached: what is shown may be old. Trying again.
        </p>
      )}
      {rows.length === 0 ? (
        <Nothing here={here} project={project} />
      ) : (
        <>
          <Way here={here} />
          <InterpretationsTable rows={rows} project={project} />
        </>
      )}
    </main>
  );
}

function Way({ here }: { here: string }) {
  return (
    <div className="row">
      <Link className="button primary" to={`${here}/start`}>
        Start an interpretation
      </Link>
    </div>
  );
}

/** What an interpretation is and what it needs, before there is one. */
function Nothing({ here, project }: { here: string; project: Project }) {
  return (
    <section className="card stack" aria-labelledby="none">
      <h2 id="none">No interpretations yet</h2>
      <ul className="reasons">
        <li>
          <b>What it does:</b> a filter chooses sentences of each source, a model learns to write its targets
          with their spans, and the rest is measured: texts, spans, and accuracies by equivalence classes.
        </li>
        <li>
          <b>What it needs:</b> settled spans of texts that have source documents.{" "}
          {project.has_answers ? (
            "The form says how many there are."
          ) : (
            <>
              Nobody has marked anything yet: begin under{" "}
              <Link to={`/projects/${project.id}/rounds`}>Rounds</Link>.
            </>
          )}
        </li>
        <li>
          <b>What it is tested with:</b> the equivalence classes of{" "}
          <Link to={`/projects/${project.id}/equivalence`}>Equivalence classes</Link>. Without them there are
          no accuracies.
        </li>
        <li>
          <b>What it takes:</b> minutes for a small model, hours for a large one. It runs on this server,
          after the rounds, and can be paused. The annotations stay as they are.
        </li>
      </ul>
      <Way here={here} />
    </section>
  );
}

/** The end of an interpretation is said to those who do not see the table. */
function useSaid(rows: Interpretation[] | undefined) {
  const announce = useAnnounce();
  const before = useRef(new Map<string, string>());
  useEffect(() => {
    for (const row of rows ?? []) {
      const known = before.current.get(row.id);
      if (known && known !== row.state) announce(`Interpretation ${row.name}: ${stateWords(row)}.`);
      before.current.set(row.id, row.state);
    }
  }, [rows, announce]);
}
