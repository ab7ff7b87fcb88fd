import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link, useParams } from "react-router";
import type { Project } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import { Failure, Loading } from "../../components/states";
import { FeatureUnavailable } from "../../session/FeatureUnavailable";
import { useProject } from "../../session/project";
import { type Evaluation, evaluationsQuery } from "./api";
import { stateWords } from "./copy";
import { Detail } from "./Detail";
import { Evaluations } from "./EvaluationsTable";
import "../../components/admin.css";
import "../../components/results.css";
import "./evaluation.css";

export function Component() {
  const project = useProject();
  const { evaluationId } = useParams();
  return evaluationId ? (
    <Detail key={evaluationId} id={evaluationId} project={project} />
  ) : (
    <List project={project} />
  );
}

function List({ project }: { project: Project }) {
  const { data: rows, error, refetch } = useQuery(evaluationsQuery(project.id));
  useSaid(rows);
  if (!rows) return error ? <Failure error={error} retry={refetch} /> : <Loading what="the evaluations" />;
  const here = `/projects/${project.id}/evaluation`;
  return (
    <main className="page" id="main">
      <div className="page-head">
        <h1>Evaluations of models</h1>
        <p className="mute">
          How far does a model say what people said? Systems predict labels that people gave, and are compared
          with them.
        </p>
      </div>
      <FeatureUnavailable what="stages" />
      {error && (
        <p className="notice bad" role="alert">
          The server cannot be reached: what is shown may be old. Trying again.
        </p>
      )}
      {rows.length === 0 && <Nothing here={here} project={project} />}
      {rows.length > 0 && (
        <>
          <Ways here={here} />
          <Evaluations rows={rows} project={project} />
        </>
      )}
    </main>
  );
}

function Ways({ here }: { here: string }) {
  return (
    <div className="row">
      <Link className="button primary" to={`${here}/start`}>
        Start an evaluation
      </Link>
      <Link className="button" to={`${here}/prompts`}>
        Edit the prompts
      </Link>
    </div>
  );
}

/** What an evaluation is and what it needs, before there is one. */
function Nothing({ here, project }: { here: string; project: Project }) {
  return (
    <section className="card stack" aria-labelledby="none">
      <h2 id="none">No evaluations yet</h2>
      <ul className="reasons">
        <li>
          <b>What it compares:</b> labels that people agreed on, with what a baseline, a trained model, a
          language model or one more person says of the same items.
        </li>
        <li>
          <b>What it needs:</b> items with a majority label or an adjudicated one.{" "}
          {project.has_answers ? (
            "The form says how many each stage has."
          ) : (
            <>
              Nobody has answered yet: begin under <Link to={`/projects/${project.id}/rounds`}>Rounds</Link>.
            </>
          )}
        </li>
        <li>
          <b>What it changes:</b> nothing of the labels. Annotators see no prediction, unless an admin turns
          suggestions on for a batch.
        </li>
        <li>
          <b>What it costs:</b> baselines cost nothing. Of language models, the form says requests, tokens and
          price before anything is sent.
        </li>
      </ul>
      <Ways here={here} />
    </section>
  );
}

/** The end of an evaluation is said to those who do not see the table. */
function useSaid(rows: Evaluation[] | undefined) {
  const announce = useAnnounce();
  const before = useRef(new Map<string, string>());
  useEffect(() => {
    for (const row of rows ?? []) {
      const known = before.current.get(row.id);
      if (known && known !== row.state) announce(`Evaluation ${row.name}: ${stateWords(row)}.`);
      before.current.set(row.id, row.state);
    }
  }, [rows, announce]);
}
