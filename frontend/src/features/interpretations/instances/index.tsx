import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearchParams } from "react-router";
import { isApiError } from "../../../api/errors";
import { NotFoundPage } from "../../../components/NotFoundPage";
import { Pages } from "../../../components/Pages";
import { Switch } from "../../../components/Switch";
import { Failure, Loading, NotLoaded, Status } from "../../../components/states";
import { useProject } from "../../../session/project";
import { counted } from "../../../text/format";
import {
  figuresQuery,
  INSTANCES_PER_PAGE,
  type InstanceFilters,
  type InterpretationDetail,
  instancesQuery,
  interpretationQuery,
} from "../api";
import type { Figures } from "../figures";
import { askedOf, className, evaluationTitle } from "../results/names";
import { useLayer } from "../useLayer";
import { InstanceCard } from "./InstanceCard";
import "../../../components/admin.css";
import "../interpretations.css";

/** The instances of one cell of the confusion matrix, or of a whole evaluation. */
export function Component() {
  const { interpretationId = "" } = useParams();
  const project = useProject();
  const { data, error, refetch } = useQuery(interpretationQuery(project.id, interpretationId));
  const { data: figures } = useQuery(figuresQuery(project.id, interpretationId));
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (!data || !figures)
    return error ? <Failure error={error} retry={refetch} /> : <Loading what="the instances" />;
  return <Instances interpretation={data} figures={figures} projectId={project.id} />;
}

interface InstancesProps {
  interpretation: InterpretationDetail;
  figures: Figures;
  projectId: string;
}

function Instances({ interpretation, figures, projectId }: InstancesProps) {
  const { filters, page, ask } = useFilters();
  const layer = useLayer(projectId);
  const { data, error, refetch, isPlaceholderData } = useQuery(
    instancesQuery(projectId, interpretation.id, filters, page),
  );
  const asked = askedOf(figures, filters);
  const nameOf = (number: number) => className(asked, number);
  const back = new URLSearchParams({
    system: filters.system,
    evaluation: `${filters.annotation} ${filters.evaluation}`,
  });
  const pair =
    filters.positive_class && filters.negative_class
      ? `True: ${nameOf(Number(filters.positive_class))}. False: ${nameOf(Number(filters.negative_class))}. `
      : "";
  const title = interpretation.systems.find(({ name }) => name === filters.system)?.title ?? filters.system;
  return (
    <main className="page middle" id="main">
      <div className="page-head">
        <p className="small">
          <Link to={`/projects/${projectId}/interpretations/${interpretation.id}?${back}`}>
            {interpretation.name}
          </Link>
        </p>
        <h1>{evaluationTitle(filters)}</h1>
        <p className="mute">
          {pair}How {title} judged them: it is right where the true continuation is likelier.
        </p>
      </div>
      <Switch<"1" | "">
        label="Which instances"
        value={filters.mistakes}
        options={[
          { value: "1", text: "Mistakes" },
          { value: "", text: "All" },
        ]}
        onValue={(mistakes) => ask({ mistakes, page: "" })}
      />
      {error && <NotLoaded what="The instances" error={error} retry={refetch} />}
      {!data && !error && <Status>Loading the instances</Status>}
      {data && (
        <>
          <p role="status" className="small">
            {filters.mistakes ? counted(data.total, "mistake") : counted(data.total, "instance")}
          </p>
          <ol className="instances" start={(page - 1) * INSTANCES_PER_PAGE + 1} aria-busy={isPlaceholderData}>
            {data.rows.map((row) => (
              <li key={row.number}>
                <InstanceCard {...{ row, layer, nameOf, projectId }} />
              </li>
            ))}
          </ol>
          {data.total === 0 && <p>There is none.</p>}
          <Pages
            page={page}
            n_pages={Math.ceil(data.total / INSTANCES_PER_PAGE)}
            onPage={(next) => ask({ page: String(next) })}
          />
        </>
      )}
    </main>
  );
}

/** What is listed; the address holds it. */
function useFilters() {
  const [address, setAddress] = useSearchParams();
  const of = (name: string) => address.get(name) ?? "";
  const filters: InstanceFilters = {
    ...{ system: of("system"), annotation: of("annotation"), evaluation: of("evaluation") },
    ...{ positive_class: of("positive_class"), negative_class: of("negative_class") },
    mistakes: of("mistakes") === "1" ? "1" : "",
  };
  const page = Math.max(1, Number(of("page")) || 1);
  const ask = (part: Record<string, string>) =>
    setAddress(
      (before) => {
        for (const [name, value] of Object.entries(part))
          if (value) before.set(name, value);
          else before.delete(name);
        return before;
      },
      { replace: true },
    );
  return { filters, page, ask };
}
