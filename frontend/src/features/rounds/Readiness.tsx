import { useQuery } from "@tanstack/react-query";
import { readinessQuery } from "../../api/rounds";

interface ReadinessProps {
  projectId: string;
  stages: string[];
}

/** What speaks against letting a model choose now. It forbids nothing: the round can be started all the same. */
export function Readiness({ projectId, stages }: ReadinessProps) {
  const { data, error } = useQuery(readinessQuery(projectId));
  const warnings = error
    ? [`Whether a model can learn from the labels could not be checked: ${error.message}`]
    : (data ?? []).filter(({ stage }) => stages.includes(stage)).flatMap(({ warnings }) => warnings);
  if (warnings.length === 0) return null;
  return (
    <div className="notice warn">
      <p>
        <b>Before you start</b>
      </p>
      <ul className="reasons">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </div>
  );
}
