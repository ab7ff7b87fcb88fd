import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { isApiError } from "../../api/errors";
import { NotFoundPage } from "../../components/NotFoundPage";
import { NotYet, OwnAnswer } from "../../components/OwnAnswer";
import { Failure, Loading } from "../../components/states";
import { type Elsewhere, useElsewhere } from "../../kept/useElsewhere";
import { useProject } from "../../session/project";
import { useMe } from "../../session/session";
import { caseQuery, lookAt } from "./api";
import { CaseBench } from "./CaseBench";
import { ListPage } from "./ListPage";
import { DecisionDrafts } from "./model/drafts";
import { type Filters, filtersFrom, pathTo } from "./model/filters";
import { draftName } from "./useOwn";
import "../../components/admin.css";
import "../../annotate/annotate.css";
import "./adjudication.css";

/** The disagreements, or the one that the address names. */
export function Component() {
  const { itemId } = useParams();
  const [asked] = useSearchParams();
  const filters = filtersFrom(asked);
  const me = useMe();
  const drafts = useMemo(() => new DecisionDrafts(me.id), [me.id]);
  return itemId ? <Item key={itemId} itemId={itemId} filters={filters} drafts={drafts} /> : <ListPage />;
}

interface ItemProps {
  itemId: string;
  filters: Filters;
  drafts: DecisionDrafts;
}

interface Heard {
  times: number;
  elsewhere: Elsewhere | null;
}

function Item({ itemId, filters, drafts }: ItemProps) {
  const { id: projectId } = useProject();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(caseQuery(projectId, itemId, filters));
  const [{ times, elsewhere }, setHeard] = useState<Heard>({ times: 0, elsewhere: null });
  useElsewhere(drafts, draftName(itemId, filters), (what) =>
    setHeard((before) => ({ times: before.times + 1, elsewhere: what })),
  );
  if (data) {
    // Begun anew beside another decision, with the other phase's answers, and from what another tab keeps.
    const key = `${data.decision?.revision ?? 0}.${filters.phase}.${times}`;
    return <CaseBench key={key} page={data} {...{ projectId, filters, drafts, elsewhere }} />;
  }
  if (isApiError(error, 404)) return <NotFoundPage />;
  if (isApiError(error, 409)) {
    const back = (
      <Link className="button" to={pathTo(projectId, filters)}>
        All disagreements
      </Link>
    );
    if (error.code !== "own_answer") return <NotYet words={error.message} back={back} />;
    const look = async () => {
      const page = await lookAt(projectId, itemId, filters);
      client.setQueryData(caseQuery(projectId, itemId, filters).queryKey, page);
    };
    return <OwnAnswer words={error.message} look={look} back={back} />;
  }
  if (error) return <Failure error={error} retry={refetch} />;
  return <Loading what="the answers" />;
}
