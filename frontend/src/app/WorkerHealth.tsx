import { useQuery } from "@tanstack/react-query";
import { workersQuery } from "../api/queries";
import type { Liveness } from "../api/types";

/** Which workers answer, in words beside the dot; one word for all while nothing is wrong. */
export function WorkerHealth({ projectId }: { projectId: string }) {
  const { data, error } = useQuery(workersQuery(projectId));
  if (error) return <span className="health down">workers unknown</span>;
  if (!data) return null;
  if (data.broker && data.models.alive && data.light.alive) {
    return (
      <span
        className="health"
        title={`model worker ${seen(data.models)}, import and release worker ${seen(data.light)}`}
      >
        workers
      </span>
    );
  }
  return (
    <>
      {!data.broker && <span className="health down">broker stopped</span>}
      <Worker name="model worker" liveness={data.models} />
      <Worker name="import and release worker" liveness={data.light} />
    </>
  );
}

function Worker({ name, liveness }: { name: string; liveness: Liveness }) {
  return (
    <span className={liveness.alive ? "health" : "health down"} title={seen(liveness)}>
      {liveness.alive ? name : `${name} stopped`}
    </span>
  );
}

function seen({ seen_seconds_ago: age }: Liveness): string {
  return age === null ? "never seen" : `last seen ${Math.round(age)} s ago`;
}
