import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { isApiError } from "../../api/errors";
import type { Project } from "../../api/types";
import { useSaidChange } from "../../components/Announcer";
import { NotFoundPage } from "../../components/NotFoundPage";
import { Notices } from "../../components/Notices";
import { Failure, Loading } from "../../components/states";
import { useZone } from "../../session/project";
import { moment } from "../../text/format";
import { Acts } from "./actions";
import { interpretationQuery } from "./api";
import { Curves } from "./Curves";
import { stateWords } from "./copy";
import { Now } from "./Now";
import { Results } from "./results/Results";
import { Setup } from "./Setup";

export function Detail({ id, project }: { id: string; project: Project }) {
  const zone = useZone();
  const { data, error, refetch } = useQuery(interpretationQuery(project.id, id));
  useSaidChange(data ? `The interpretation is ${stateWords(data)}.` : "");
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <Loading what="the interpretation" />;
  const isDone = data.state === "done";
  return (
    <main className="page" id="main">
      <div className="page-head">
        <p className="small">
          <Link to={`/projects/${project.id}/interpretations`}>All interpretations</Link>
        </p>
        <h1>{data.name}</h1>
        <p className="mute">
          Interpretation {data.number}, started by {data.created_by}, {moment(data.created_at, zone)}.
        </p>
      </div>
      {error && (
        <p className="notice bad" role="alert">
          The server cannot be reached: what is shown may be old. Trying again.
        </p>
      )}
      <Notices notices={data.notices} about="the data and the systems" />
      {!isDone && <Now interpretation={data} project={project} />}
      {isDone && <Results interpretation={data} project={project} />}
      <Curves interpretation={data} />
      <Setup interpretation={data} project={project} />
      {isDone && <Acts interpretation={data} projectId={project.id} />}
    </main>
  );
}
