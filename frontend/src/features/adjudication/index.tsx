import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearchParams } from "react-router";
import { isApiError } from "../../api/errors";
import { NotFoundPage } from "../../app/ErrorPage";
import { useProject } from "../../app/project";
import { Failure, Loading } from "../../components/states";
import { caseQuery } from "./api";
import { CaseBench } from "./CaseBench";
import { ListPage } from "./ListPage";
import { type Filters, filtersFrom, pathTo } from "./model/filters";
import "../../components/admin.css";
import "../label/label.css";
import "./adjudication.css";

/** The disagreements, or the one that the address names. */
export function Component() {
  const { itemId } = useParams();
  const [asked] = useSearchParams();
  const filters = filtersFrom(asked);
  return itemId ? <Item key={itemId} itemId={itemId} filters={filters} /> : <ListPage />;
}

function Item({ itemId, filters }: { itemId: string; filters: Filters }) {
  const { id: projectId } = useProject();
  const { data, error, refetch } = useQuery(caseQuery(projectId, itemId, filters));
  if (data) {
    const revision = data.decision?.revision ?? 0;
    return <CaseBench key={revision} page={data} projectId={projectId} filters={filters} />;
  }
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (isApiError(error, 409)) return <NotYet words={error.message} back={pathTo(projectId, filters)} />;
  if (error) return <Failure error={error} retry={refetch} />;
  return <Loading what="the answers" />;
}

function NotYet({ words, back }: { words: string; back: string }) {
  return (
    <main className="page narrow" id="main">
      <div className="card stack">
        <h1>Not yet</h1>
        <p>{words}</p>
        <p>
          <Link className="button" to={back}>
            All disagreements
          </Link>
        </p>
      </div>
    </main>
  );
}
