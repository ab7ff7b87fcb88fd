import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../../api/queries";
import { NotLoaded, Status } from "../../../components/states";
import { useProject } from "../../../session/project";
import { Tabs } from "../Tabs";
import { datasheetQuery } from "./api";
import { Sheet } from "./Sheet";
import "../../../components/admin.css";
import "../releases.css";
import "./datasheet.css";

export function Component() {
  const project = useProject();
  const { data: me } = useQuery(meQuery);
  const { data, error, refetch } = useQuery(datasheetQuery(project.id));
  return (
    <main className="page middle release-page sheet-page" id="main">
      <div className="page-head">
        <h1>Datasheet</h1>
        <p className="mute">
          What a reader needs to know before using the dataset, question by question. What the data can tell
          is filled in; the rest only you know. Each answer saves itself, stands in the card of the next
          release, and may use Markdown.
        </p>
      </div>
      <Tabs nOpen={data?.n_open} />
      {error && <NotLoaded what="The datasheet" error={error} retry={refetch} />}
      {!data && !error && <Status>Loading the datasheet</Status>}
      {data && me && <Sheet key={`${project.id} ${me.id}`} sheet={data} userId={me.id} />}
    </main>
  );
}
