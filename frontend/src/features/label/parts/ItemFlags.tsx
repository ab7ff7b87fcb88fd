import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Thread } from "../../../annotate/threads/Thread";
import { flaggedItemsQuery, flagsKey, ownFlagsQuery } from "../../../api/flags";
import { useRefresh } from "../../../api/useRefresh";
import { useOutboxState } from "../../../outbox/OutboxProvider";
import { flagsOf } from "../../../outbox/order";

/** The person's own flags of this item, with what the admins answered. */
export function ItemFlags({ assignmentId, projectId }: { assignmentId: string; projectId: string }) {
  const { entries } = useOutboxState();
  const waiting = flagsOf(entries, assignmentId);
  const { data: flagged } = useQuery(flaggedItemsQuery(projectId));
  const refresh = useRefresh();
  const n = waiting.length;
  const waited = useRef(n);
  // biome-ignore lint/correctness/useExhaustiveDependencies(refresh): whenever the server has one more
  useEffect(() => {
    if (n < waited.current) void refresh(flagsKey(projectId));
    waited.current = n;
  }, [n, projectId]);
  const { data } = useQuery({
    ...ownFlagsQuery(projectId, { assignment: assignmentId }),
    enabled: flagged?.includes(assignmentId) ?? false,
  });
  const flags = data?.flags ?? [];
  if (flags.length + n === 0) return null;
  return (
    <section className="notice stack" aria-label="Your flags of this item">
      {waiting.map(({ body }) => (
        <p key={body.client_id}>
          You flagged this item{body.note && <>: “{body.note}”</>}.{" "}
          <span className="small mute">Saved on this device, sent when the server answers.</span>
        </p>
      ))}
      {flags.map((flag) => (
        <div key={flag.id} className="stack-tight">
          <p>
            You flagged this item{flag.words && <>: “{flag.words}”</>}.{" "}
            <span className="small mute">{stateWords(flag.messages.length > 0, flag.resolved)}</span>
          </p>
          <Thread flagId={flag.id} messages={flag.messages} isOwn isUnread={flag.unread > 0} refreshes={[]} />
        </div>
      ))}
    </section>
  );
}

function stateWords(isAnswered: boolean, isResolved: boolean): string {
  if (isResolved) return "The admins marked it as resolved.";
  return isAnswered ? "" : "No answer yet.";
}
