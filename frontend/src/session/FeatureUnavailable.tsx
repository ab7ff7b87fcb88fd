import { Link } from "react-router";
import { useProject } from "./project";

/** On a page of spans or of stages: says why it stays empty, where no codebook of the project has them. */
export function FeatureUnavailable({ what }: { what: "spans" | "stages" }) {
  const { id, has_spans, has_stages } = useProject();
  if (what === "spans" ? has_spans : has_stages) return null;
  return (
    <p className="notice">
      {what === "spans"
        ? "No published codebook of this project marks spans, so that nothing comes here."
        : "No published codebook of this project has stages, so that nothing comes here."}{" "}
      {what === "stages" && has_spans && (
        <>
          Spans that people marked are decided under <Link to={`/projects/${id}/validation`}>Validate</Link>.
        </>
      )}
    </p>
  );
}
