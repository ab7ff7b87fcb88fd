import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
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
  const stored = evaluation.shown_to_adjudicators;
  // A box is ticked at once, and goes back where the server refuses.
  const [shown, setShown] = useState(stored);
  const showing = useMutation({
    mutationFn: (systems: string[]) => evaluationApi.show(evaluation.id, systems),
    // One after the other, so that the last choice is the one that stays.
    scope: { id: `shown.${evaluation.id}` },
    onError: () => setShown(stored),
    onSettled: () => refresh(evaluationQuery(evaluation.id).queryKey),
  });
  return (
    <section className="card stack" aria-labelledby="shown">
      <h2 id="shown">Show predictions to adjudicators</h2>
      <CheckChoices
        legend="Systems whose predictions stand beside the votes"
        hint="Adjudicators see them under Disagreements, and the log has each look. Each change is stored at once."
        values={shown}
        choices={figures.systems.map(({ name }) => ({ value: name, text: names.system(name) }))}
        onValues={(systems) => {
          setShown(systems);
          showing.mutate(systems);
        }}
      />
      <p className="small mute" role="status">
        {showing.isSuccess && (shown.length === 0 ? "Stored: none is shown." : "Stored.")}
      </p>
      <Refusal error={showing.error} />
    </section>
  );
}
