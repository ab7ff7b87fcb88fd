import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useParams, useSearchParams } from "react-router";
import { NotShown } from "../../components/NotShown";
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
  const look = async () => {
    const page = await lookAt(projectId, itemId, filters);
    client.setQueryData(caseQuery(projectId, itemId, filters).queryKey, page);
  };
  const list = { to: pathTo(projectId, filters), words: "All disagreements" };
  return <NotShown error={error} what="the answers" list={list} look={look} retry={refetch} />;
}
