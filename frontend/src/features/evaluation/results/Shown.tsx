import { useMutation } from "@tanstack/react-query";
import { useRefresh } from "../../../api/useRefresh";
import { CheckChoices } from "../../../components/Choices";
import { Refusal } from "../../../components/Refusal";
import { type EvaluationDetail, evaluationApi, evaluationQuery } from "../api";
import type { Figures } from "../figures";
import type { Names } from "./names";

interface ShownProps {
  evaluation: EvaluationDetail;
  figures: Figures;
  projectId: string;
  names: Names;
}

/** Which systems adjudicators see beside the votes. It is stored with each change. */
export function Shown({ evaluation, figures, names }: ShownProps) {
  const refresh = useRefresh();
  const showing = useMutation({
    mutationFn: (systems: string[]) => evaluationApi.show(evaluation.id, systems),
    onSettled: () => refresh(evaluationQuery(evaluation.id).queryKey),
  });
  const shown = showing.isPending ? showing.variables : evaluation.shown_to_adjudicators;
  return (
    <section className="card stack" aria-labelledby="shown">
      <h2 id="shown">Show predictions to adjudicators</h2>
      <CheckChoices
        legend="Systems whose predictions stand beside the votes"
        hint="Adjudicators see them under Disagreements, and the log has each look. Each change is stored at once."
        values={shown}
        choices={figures.systems.map(({ name }) => ({ value: name, text: names.system(name) }))}
        onValues={(systems) => showing.mutate(systems)}
      />
      <p className="small mute" role="status">
        {showing.isSuccess && (shown.length === 0 ? "Stored: none is shown." : "Stored.")}
      </p>
      <Refusal error={showing.error} />
    </section>
  );
}
