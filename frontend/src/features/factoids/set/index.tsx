import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { at } from "../../../browser/base";
import { NotFoundPage } from "../../../components/NotFoundPage";
import { Failure, Loading } from "../../../components/states";
import { useProject } from "../../../session/project";
import { exportPath, setsQuery } from "../api";
import { sizeOfSet } from "../copy";
import { factoidsPath } from "../paths";
import { Agreement } from "./Agreement";
import { ScoredList } from "./ScoredList";
import "../../../components/admin.css";
import "../factoids.css";
import "./set.css";

/** What came of a text set: agreement in each phase, weights, and scores of texts. */
export function Component() {
  const { setId = "" } = useParams();
  const { id: projectId } = useProject();
  const { data, error, refetch } = useQuery(setsQuery(projectId));
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <Loading what="the text set" />;
  const set = data.sets.find(({ id }) => id === setId);
  if (!set) return <NotFoundPage />;
  return (
    <main className="page factoid-page" id="main">
      <div className="card-head">
        <div className="page-head">
          <p className="small">
            <Link to={factoidsPath(projectId)}>Factoids</Link>
          </p>
          <h1>Results of {set.name}</h1>
          <p className="mute numbers">{sizeOfSet(set)}</p>
        </div>
        <a className="button" href={at(exportPath(set.id))} download>
          Export as ZIP
        </a>
      </div>
      <Agreement set={set} />
      <ScoredList set={set} />
    </main>
  );
}
