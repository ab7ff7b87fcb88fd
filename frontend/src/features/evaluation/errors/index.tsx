import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { isApiError } from "../../../api/errors";
import { NotFoundPage } from "../../../components/NotFoundPage";
import { Failure, Loading } from "../../../components/states";
import { useProject } from "../../../session/project";
import { type EvaluationDetail, evaluationQuery } from "../api";
import { Filters } from "./Filters";
import { useFilters } from "./useFilters";
import { Worklist } from "./Worklist";
import "../../../components/admin.css";
import "../../../components/worklist.css";
import "../../../components/results.css";
import "../evaluation.css";
import "./errors.css";

/** Wrong predictions, most confident first, for a person to name the cause of each. */
export function Component() {
  const { evaluationId = "" } = useParams();
  const { data, error, refetch } = useQuery(evaluationQuery(evaluationId));
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <Loading what="the errors" />;
  return <Errors evaluation={data} />;
}

function Errors({ evaluation }: { evaluation: EvaluationDetail }) {
  const project = useProject();
  const { filters, page, ask, turn } = useFilters();
  return (
    <main className="page errors-page" id="main">
      <div className="page-head">
        <p className="small">
          <Link to={`/projects/${project.id}/evaluation/${evaluation.id}`}>{evaluation.name}</Link>
        </p>
        <h1>Errors</h1>
        <p className="mute">
          Predictions that differ from what people said, the most confident first. Read each in its context,
          and name its cause.
        </p>
      </div>
      <Filters evaluation={evaluation} filters={filters} onAsk={ask} />
      <Worklist
        // Another list begins at its top.
        key={JSON.stringify({ filters, page })}
        evaluation={evaluation}
        filters={filters}
        page={page}
        onPage={turn}
      />
    </main>
  );
}
