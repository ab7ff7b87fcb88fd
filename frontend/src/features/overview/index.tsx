import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Failure, Loading } from "../../components/states";
import { useProject } from "../../session/project";
import { count } from "../../text/format";
import { type Overview, overviewQuery } from "./api";
import { Figures } from "./Figures";
import { Health } from "./Health";
import { nextStep } from "./next";
import { Progress } from "./Progress";
import { AgreementTrend, YieldTrend } from "./TrendFigures";
import "../../components/admin.css";
import "./overview.css";

export function Component() {
  const project = useProject();
  const { data: told, error, refetch, dataUpdatedAt } = useQuery(overviewQuery(project.id));
  if (error && !told) return <Failure error={error} retry={refetch} />;
  if (!told) return <Loading what="the overview" />;
  return (
    <main className="page overview" id="main">
      <div className="page-head">
        <div className="card-head">
          <h1>{told.project.name}</h1>
          {told.project.active_codebook && (
            <Link className="small" to={`/projects/${project.id}/codebook`}>
              Codebook v{told.project.active_codebook.version}
            </Link>
          )}
        </div>
        {told.project.description && <p className="mute">{told.project.description}</p>}
      </div>
      {error && (
        <p className="notice bad" role="alert">
          The server cannot be reached: what is shown may be old.
        </p>
      )}
      <NextCard told={told} />
      <Figures told={told} />
      <div className="overview-two">
        <Progress told={told} now={dataUpdatedAt} />
        <Health told={told} now={dataUpdatedAt} />
        {told.trend && (
          <div className="overview-trends">
            <AgreementTrend trend={told.trend} projectId={project.id} />
            <YieldTrend trend={told.trend} projectId={project.id} />
          </div>
        )}
      </div>
    </main>
  );
}

function NextCard({ told }: { told: Overview }) {
  const step = nextStep(told);
  const { id, my_progress: mine } = told.project;
  return (
    <section className="card now next" aria-labelledby="todo">
      <div className="stack-tight">
        <h2 id="todo">{step.title}</h2>
        <p>{step.words}</p>
      </div>
      <div className="row">
        <Link className="button primary" to={`/projects/${id}/${step.to}`}>
          {step.act}
        </Link>
        {mine?.state === "ok" && (
          <Link className="button" to={`/projects/${id}/label`}>
            Label your own {count(mine.total - mine.done)}
          </Link>
        )}
      </div>
    </section>
  );
}
