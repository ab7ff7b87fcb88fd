import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { workersQuery } from "../../../api/queries";
import { Failure, Loading } from "../../../components/states";
import { FeatureUnavailable } from "../../../session/FeatureUnavailable";
import { useProject } from "../../../session/project";
import { choicesQuery } from "../api";
import { StartForm } from "./StartForm";
import "../../../components/admin.css";
import "../../../components/results.css";
import "../interpretations.css";

export function Component() {
  const project = useProject();
  // A release or an evaluation that was made a moment ago is offered at once.
  const {
    data: choices,
    error,
    refetch,
  } = useQuery({ ...choicesQuery(project.id), refetchOnMount: "always" });
  const { data: workers } = useQuery(workersQuery(project.id));
  if (!choices)
    return error ? <Failure error={error} retry={refetch} /> : <Loading what="what may be chosen" />;
  return (
    <main className="page" id="main">
      <div className="page-head">
        <p className="small">
          <Link to={`/projects/${project.id}/interpretations`}>All interpretations</Link>
        </p>
        <h1>Start an interpretation</h1>
        <p className="mute">
          Models learn to write targets from their sources. Texts stay on this server, and the annotations
          stay as they are.
        </p>
      </div>
      <FeatureUnavailable what="spans" />
      <StartForm choices={choices} project={project} workers={workers} />
    </main>
  );
}
