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
  const { data: overview, error, refetch, dataUpdatedAt } = useQuery(overviewQuery(project.id));
  if (error && !overview) return <Failure error={error} retry={refetch} />;
  if (!overview) return <Loading what="the overview" />;
  return (
    <main className="page overview" id="main">
      <div className="page-head">
        <div className="card-head">
          <h1>{overview.project.name}</h1>
          {overview.project.active_codebook && (
            <Link className="small" to={`/projects/${project.id}/codebook`}>
              Codebook v{overview.project.active_codebook.version}
            </Link>
          )}
        </div>
        {overview.project.description && <p className="mute">{overview.project.description}</p>}
      </div>
      {error && (
        <p className="notice bad" role="alert">
          The server cannot be reached: what is shown may be old.
        </p>
      )}
      <NextCard overview={overview} />
      <Figures overview={overview} />
      <div className="overview-two">
        <Progress overview={overview} now={dataUpdatedAt} />
        <Health overview={overview} now={dataUpdatedAt} />
        {overview.trend && (
          <div className="overview-trends">
            <AgreementTrend trend={overview.trend} projectId={project.id} />
            <YieldTrend trend={overview.trend} projectId={project.id} />
          </div>
        )}
      </div>
    </main>
  );
}

function NextCard({ overview }: { overview: Overview }) {
  const step = nextStep(overview);
  const { id, my_progress: mine } = overview.project;
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
