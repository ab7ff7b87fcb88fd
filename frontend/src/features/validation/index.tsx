import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { isApiError } from "../../api/errors";
import { NotFoundPage } from "../../app/ErrorPage";
import { useProject } from "../../app/project";
import { Failure, Loading } from "../../components/states";
import { itemQuery } from "./api";
import { ItemBench } from "./ItemBench";
import { ListPage } from "./ListPage";
import "../../components/admin.css";
import "./validation.css";

/** What there is to validate, or the item that the address names. */
export function Component() {
  const { itemId } = useParams();
  return itemId ? <Item key={itemId} itemId={itemId} /> : <ListPage />;
}

function Item({ itemId }: { itemId: string }) {
  const { id: projectId } = useProject();
  const { data, error, refetch } = useQuery(itemQuery(projectId, itemId));
  if (data) return <ItemBench page={data} projectId={projectId} loadError={error} />;
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (error) return <Failure error={error} retry={refetch} />;
  return <Loading what="the annotations" />;
}
