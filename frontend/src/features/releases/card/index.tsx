import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { NotLoaded, Status } from "../../../components/states";
import { useProject } from "../../../session/project";
import { cardQuery } from "../api";
import { CardView } from "../CardView";
import { Tabs } from "../Tabs";
import "../../../components/admin.css";
import "../releases.css";

/** The card as it would be, were a release made now. */
export function Component() {
  const project = useProject();
  const { data, error, refetch } = useQuery(cardQuery(project.id));
  return (
    <main className="page middle release-page" id="main">
      <div className="page-head">
        <h1>Dataset card</h1>
        <p className="mute">
          What the next release will say of itself, made from the data and from{" "}
          <Link to={`/projects/${project.id}/releases/datasheet`}>your answers</Link> as they are now. It is
          the folder’s README.md; data hubs show it as the dataset’s page.
        </p>
      </div>
      <Tabs />
      {error && <NotLoaded what="The card" error={error} retry={refetch} />}
      {!data && !error && <Status>Making the card</Status>}
      {data && (
        <section className="card" aria-label="The card">
          <CardView markdown={data.markdown} top={2} />
        </section>
      )}
    </main>
  );
}
