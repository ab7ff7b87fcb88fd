import { useQuery } from "@tanstack/react-query";
import { Select } from "../../../components/Select";
import { useProject } from "../../../session/project";
import { causesQuery, type EvaluationDetail, type PredictionFilters } from "../api";
import { useSystemTitle } from "../useSystemTitle";

interface FiltersProps {
  evaluation: EvaluationDetail;
  filters: PredictionFilters;
  onAsk: (part: Partial<PredictionFilters>) => void;
}

const ANY = { value: "", text: "Any" };

export function Filters({ evaluation, filters, onAsk }: FiltersProps) {
  const { id } = useProject();
  const { data: causes = [] } = useQuery(causesQuery(id));
  const title = useSystemTitle();
  const labels = labelsOf(evaluation, filters.stage);
  const systems = evaluation.progress.systems.map(({ name }) => ({ value: name, text: title(name) }));
  const field = (
    name: keyof PredictionFilters,
    label: string,
    options: { value: string; text: string }[],
  ) => (
    <Select
      label={label}
      value={filters[name]}
      options={options}
      onValue={(value) => onAsk({ [name]: value })}
    />
  );
  const named = labels.map((label) => ({ value: label, text: label }));
  return (
    <section className="card error-filters" aria-label="What is listed">
      {field("system", "System", [ANY, ...systems])}
      {field("stage", "Stage", [
        ANY,
        ...evaluation.stages.map(({ key, title }) => ({ value: key, text: title })),
      ])}
      {field("only", "Which", [
        { value: "errors", text: "All errors" },
        { value: "not_compliant", text: "Not compliant alone" },
        { value: "all", text: "All predictions" },
      ])}
      {field("gold", "People said", [ANY, ...named])}
      {field("predicted", "System said", [ANY, ...named])}
      {field("agreement", "People were", [
        { value: "any", text: "Any" },
        { value: "unanimous", text: "All of one mind" },
        { value: "majority", text: "Not all of one mind" },
      ])}
      {field("least_confidence", "Confidence, at least", [
        ANY,
        ...["0.5", "0.7", "0.8", "0.9", "0.95"].map((value) => ({ value, text: value })),
      ])}
      {field("cause", "Cause", [
        { value: "any", text: "Any, or none" },
        { value: "none", text: "None yet" },
        ...causes.map((cause) => ({ value: cause.id, text: cause.name })),
      ])}
    </section>
  );
}

function labelsOf({ spec: { questions } }: EvaluationDetail, stage: string): string[] {
  const asked = Object.entries(questions).filter(([key]) => stage === "" || key === stage);
  return [...new Set(asked.flatMap(([, { labels }]) => labels))];
}
