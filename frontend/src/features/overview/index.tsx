import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { projectQuery } from "../../api/queries";
import type { Project } from "../../api/types";
import { useProject } from "../../app/project";
import { Meter } from "../../components/Meter";
import { Stat } from "../../components/Stat";
import { Failure, Loading } from "../../components/states";
import { count, counted } from "../../components/words";
import { type Round, type RoundsPage, roundsQuery } from "../rounds/api";
import { People } from "../rounds/People";
import { budgetLeft, poolLeft } from "../rounds/spec";
import { stateWords, strategyWords } from "../rounds/state";
import { Health } from "./Health";
import { nextStep } from "./next";
import "../../components/admin.css";
import "./overview.css";

export function Component() {
  const project = useProject();
  // The counts of the project move while people label and imports run.
  useQuery({ ...projectQuery(project.id), refetchInterval: 10_000 });
  const { data: page, error, refetch } = useQuery(roundsQuery(project.id));
  if (error && !page) return <Failure error={error} retry={refetch} />;
  if (!page) return <Loading what="the overview" />;
  const shown = page.rounds.find((round) => round.batch);
  return (
    <main className="page" id="main">
      <div className="page-head">
        <h1>{project.name}</h1>
        {project.description && <p className="mute">{project.description}</p>}
      </div>
      <NextCard project={project} page={page} />
      <Figures project={project} page={page} />
      <div className="overview-two">
        {shown ? <BatchCard round={shown} page={page} /> : <NoBatch />}
        <Health projectId={project.id} page={page} />
      </div>
    </main>
  );
}

function NextCard({ project, page }: { project: Project; page: RoundsPage }) {
  const step = nextStep(project, page);
  const mine = project.my_progress;
  return (
    <section className="card now next" aria-labelledby="todo">
      <div className="stack-tight">
        <h2 id="todo">{step.title}</h2>
        <p>{step.words}</p>
      </div>
      <div className="row">
        <Link className="button primary" to={`/projects/${project.id}/${step.to}`}>
          {step.act}
        </Link>
        {mine?.state === "ok" && (
          <Link className="button" to={`/projects/${project.id}/label`}>
            Label your own {count(mine.total - mine.done)}
          </Link>
        )}
      </div>
    </section>
  );
}

function Figures({ project, page }: { project: Project; page: RoundsPage }) {
  const left = budgetLeft(project);
  const newest = page.rounds[0];
  return (
    <div className="stats">
      <Stat title="Pool" value={count(project.pool_size)} of={project.pool_size === 1 ? "item" : "items"}>
        from {counted(project.n_documents, "document")}; {count(poolLeft(project))} not yet given to anyone
      </Stat>
      <Stat
        title="Budget"
        value={count(project.budget_spent)}
        of={project.annotation_budget !== null && `of ${count(project.annotation_budget)}`}
      >
        {left === null ? "items issued; no budget is set" : `items issued, ${count(left)} left`}
      </Stat>
      <Stat title="Round" value={newest ? newest.number : "–"}>
        {newest ? `${strategyWords(page.strategies, newest)}: ${stateWords(newest)}` : "none started yet"}
      </Stat>
      <Stat title="Codebook" value={project.active_codebook ? `v${project.active_codebook.version}` : "–"}>
        {project.active_codebook ? (
          <>
            New batches take it. <Link to={`/projects/${project.id}/codebook`}>Read it</Link>
          </>
        ) : (
          "none published yet"
        )}
      </Stat>
    </div>
  );
}

function BatchCard({ round, page }: { round: Round; page: RoundsPage }) {
  const batch = round.batch;
  if (!batch) return null;
  return (
    <section className="card stack" aria-labelledby="batch">
      <div className="card-head">
        <h2 id="batch">
          Batch {batch.number}: {counted(batch.size, "item")}
        </h2>
        <span className="small mute">{strategyWords(page.strategies, round)}</span>
      </div>
      <div className="stack-tight">
        <p className="numbers">
          {count(batch.done)} of {count(batch.total)} assignments done
          {batch.complete && ": complete"}
        </p>
        <Meter share={batch.total === 0 ? 0 : batch.done / batch.total} />
      </div>
      <People people={round.annotators} />
    </section>
  );
}

function NoBatch() {
  return (
    <section className="card stack" aria-labelledby="batch">
      <h2 id="batch">No batch yet</h2>
      <p>
        When a batch is open, the progress of each annotator stands here: counts only, never their answers.
      </p>
    </section>
  );
}
