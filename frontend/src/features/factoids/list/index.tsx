import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { isApiError } from "../../../api/errors";
import { type FactoidList, listQuery } from "../../../api/factoids";
import { NotFoundPage } from "../../../components/NotFoundPage";
import { Failure, Loading } from "../../../components/states";
import { ItemsBench } from "./ItemsBench";
import { ListBench } from "./ListBench";
import { modeOf } from "./model/views";
import { useWork } from "./useWork";
import "../../../components/admin.css";
import "../factoids.css";
import "./list.css";

/** One factoid list: to define it, to mark a given one, or to answer its items once more. */
export function Component() {
  const { listId = "" } = useParams();
  const { data, error, refetch } = useQuery(listQuery(listId));
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (data) return <List key={data.id} list={data} />;
  if (error) return <Failure error={error} retry={refetch} />;
  return <Loading what="the factoid list" />;
}

function List({ list }: { list: FactoidList }) {
  const work = useWork(list);
  const mode = modeOf(list);
  return mode === "items" ? <ItemsBench work={work} /> : <ListBench work={work} mode={mode} />;
}
