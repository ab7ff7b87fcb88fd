import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { isApiError } from "../../api/errors";
import { assignmentQuery, nextQuery } from "../../api/queries";
import { useRefresh } from "../../api/useRefresh";
import { NotFoundPage } from "../../components/NotFoundPage";
import { Failure, Loading } from "../../components/states";
import { useOutbox, useOutboxState } from "../../outbox/OutboxProvider";
import { ofAssignment } from "../../outbox/order";
import { FinalAnswer } from "./FinalAnswer";
import type { Navigation } from "./useNavigation";
import { Workbench } from "./Workbench";

interface RevisitProps {
  assignmentId: string;
  projectId: string;
  navigation: Navigation;
  onBegun: () => void;
}

/**
 * An own done item: as it was submitted where that is still on its way, else as the server has it; to be read only where
 * it is final.
 */
export function Revisit({ assignmentId, projectId, navigation, onBegun }: RevisitProps) {
  const outbox = useOutbox();
  const [begunFrom] = useState(
    () => ofAssignment(outbox.snapshot().entries, assignmentId).at(-1)?.assignment ?? null,
  );
  const isUnsent = ofAssignment(useOutboxState().entries, assignmentId).length > 0;
  // The key of a practice comes from the server alone, and only once it has the answer.
  const waitsForKey = begunFrom?.batch.is_practice === true;
  const onItsWay = waitsForKey ? null : begunFrom;
  const stored = useQuery({
    ...assignmentQuery(assignmentId),
    enabled: !onItsWay && !(waitsForKey && isUnsent),
  });
  const assignment = onItsWay ?? stored.data;
  useCompared(projectId, stored.data?.suggestions?.mode === "after");
  if (isApiError(stored.error, 404)) return <NotFoundPage />;
  if (stored.error) return <Failure error={stored.error} retry={stored.refetch} />;
  if (!assignment && waitsForKey) return <Loading what="the key, once the server has your answer" />;
  if (!assignment) return <Loading what="your earlier answer" />;
  if (assignment.final !== null)
    return <FinalAnswer {...{ assignment, projectId, navigation }} why={assignment.final} />;
  return (
    <Workbench assignment={assignment} projectId={projectId} navigation={navigation} onBegun={onBegun} />
  );
}

/** The server has noted that the answer was compared with the model's: the window knows it only when it is read again. */
function useCompared(projectId: string, isCompared: boolean): void {
  const refresh = useRefresh();
  // biome-ignore lint/correctness/useExhaustiveDependencies(refresh): once for each item
  useEffect(() => {
    if (isCompared) void refresh(nextQuery(projectId).queryKey);
  }, [isCompared, projectId]);
}
