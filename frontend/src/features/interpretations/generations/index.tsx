import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearchParams } from "react-router";
import { isApiError } from "../../../api/errors";
import { NotFoundPage } from "../../../components/NotFoundPage";
import { Select } from "../../../components/Select";
import { Failure, Loading, NotLoaded, Status } from "../../../components/states";
import { useProject } from "../../../session/project";
import { generationQuery, type InterpretationDetail, interpretationQuery } from "../api";
import { Reading } from "./Reading";
import "../../../components/admin.css";
import "../interpretations.css";

/** What systems wrote, beside what people wrote, one source at a time. */
export function Component() {
  const { interpretationId = "" } = useParams();
  const project = useProject();
  const { data, error, refetch } = useQuery(interpretationQuery(project.id, interpretationId));
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <Loading what="the texts" />;
  return <Generations interpretation={data} projectId={project.id} />;
}

interface GenerationsProps {
  interpretation: InterpretationDetail;
  projectId: string;
}

function Generations({ interpretation, projectId }: GenerationsProps) {
  const { id, name, systems } = interpretation;
  const [address, setAddress] = useSearchParams();
  const shown = systems.find((each) => each.name === address.get("system")) ?? systems[0];
  const asked = Number(address.get("number") ?? 1);
  const place = Number.isInteger(asked) && asked > 0 ? asked - 1 : 0;
  const { data, error, refetch } = useQuery({
    ...generationQuery(projectId, id, shown?.name ?? "", place),
    enabled: shown !== undefined,
  });
  const ask = (part: Record<string, string>) =>
    setAddress(
      (before) => {
        for (const [key, value] of Object.entries(part)) before.set(key, value);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <main className="page" id="main">
      <div className="page-head">
        <p className="small">
          <Link to={`/projects/${projectId}/interpretations/${id}`}>{name}</Link>
        </p>
        <h1>Generated texts</h1>
        <p className="mute">
          What a model wrote from a filtered source, beside what people wrote of the same source. Spans have
          the colours of their categories.
        </p>
      </div>
      {systems.length > 1 && (
        <div className="form-grid">
          <Select
            label="System"
            value={shown?.name ?? ""}
            options={systems.map(({ name, title }) => ({ value: name, text: title }))}
            onValue={(system) => ask({ system })}
          />
        </div>
      )}
      {error && <NotLoaded what="The texts" error={error} retry={refetch} />}
      {!data && !error && <Status>Loading the texts</Status>}
      {data && shown && (
        <Reading
          row={data.rows[0]}
          {...{ place, projectId }}
          total={data.total}
          title={shown.title}
          onPlace={(next) => ask({ number: String(next + 1) })}
        />
      )}
    </main>
  );
}
