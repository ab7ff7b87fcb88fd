import { useQuery } from "@tanstack/react-query";
import { workersQuery } from "../api/queries";
import type { Liveness } from "../api/types";

/** Which workers answer, in words beside the dot. */
export function WorkerHealth({ projectId }: { projectId: string }) {
  const { data, error } = useQuery(workersQuery(projectId));
  if (error) return <span className="health down">workers unknown</span>;
  if (!data) return null;
  return (
    <>
      {!data.broker && <span className="health down">broker stopped</span>}
      <Worker name="model worker" liveness={data.models} />
      <Worker name="light worker" liveness={data.light} />
    </>
  );
}

function Worker({ name, liveness }: { name: string; liveness: Liveness }) {
  const seen = liveness.seen_seconds_ago;
  const title = seen === null ? "never seen" : `last seen ${Math.round(seen)} s ago`;
  return (
    <span className={liveness.alive ? "health" : "health down"} title={title}>
      {liveness.alive ? name : `${name} stopped`}
    </span>
  );
}
