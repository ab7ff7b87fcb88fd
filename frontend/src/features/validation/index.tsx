import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "react-router";
import { NotShown } from "../../components/NotShown";
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
  const look = async () => {
    const page = await lookAt(projectId, itemId);
    client.setQueryData(itemQuery(projectId, itemId).queryKey, page);
  };
  const list = { to: pathTo(projectId), words: "All items" };
  return <NotShown error={error} what="the annotations" list={list} look={look} retry={refetch} />;
}
