import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { isApiError } from "../../api/errors";
import { NotFoundPage } from "../../components/NotFoundPage";
import { NotYet, OwnAnswer } from "../../components/OwnAnswer";
import { Failure, Loading } from "../../components/states";
import { useProject } from "../../session/project";
import { itemQuery, lookAt } from "./api";
import { ItemBench } from "./ItemBench";
import { ListPage } from "./ListPage";
import { pathTo } from "./model/paths";
import "../../components/admin.css";
import "./validation.css";

/** What there is to validate, or the item that the address names. */
export function Component() {
  const { itemId } = useParams();
  return itemId ? <Item key={itemId} itemId={itemId} /> : <ListPage />;
}

function Item({ itemId }: { itemId: string }) {
  const { id: projectId } = useProject();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(itemQuery(projectId, itemId));
  if (data) return <ItemBench page={data} projectId={projectId} loadError={error} />;
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (isApiError(error, 409)) {
    const back = (
      <Link className="button" to={pathTo(projectId)}>
        All items
      </Link>
    );
    if (error.code !== "own_answer") return <NotYet words={error.message} back={back} />;
    const look = async () => {
      const page = await lookAt(projectId, itemId);
      client.setQueryData(itemQuery(projectId, itemId).queryKey, page);
    };
    return <OwnAnswer words={error.message} look={look} back={back} />;
  }
  if (error) return <Failure error={error} retry={refetch} />;
  return <Loading what="the annotations" />;
}
