import { Link } from "react-router";
import { CheckChoices } from "../../../components/Choices";
import { Select } from "../../../components/Select";
import type { EvaluationChoice } from "../api";
import { PARTS } from "../copy";
import type { PartProps } from "./spec";

/** Which evaluations by equivalence classes the systems are tested with. */
export function EvaluationsField(part: PartProps & { projectId: string }) {
  const { choices, spec, errors, change, projectId } = part;
  const editor = <Link to={`/projects/${projectId}/equivalence`}>Equivalence classes</Link>;
  return (
    <section className="card stack" aria-labelledby="evaluations">
      <div className="stack-tight">
        <h2 id="evaluations">Evaluations by equivalence classes</h2>
        <p className="small mute">
          A model is right where it finds the true continuation of a prefix likelier than a false one. Classes
          are made under {editor}.
        </p>
      </div>
      {choices.evaluations.length === 0 ? (
        <p className="notice">
          There are no evaluations yet, so that the results have no accuracies. Generated texts are compared
          with their references all the same.
        </p>
      ) : (
        <>
          <CheckChoices
            legend="Evaluations"
            errors={errors.evaluations}
            inColumns
            values={spec.evaluations}
            choices={choices.evaluations.map((each) => ({
              value: each.id,
              text: each.title,
              help: <About evaluation={each} />,
              isOff: !each.usable,
            }))}
            onValues={(evaluations) => change({ evaluations })}
          />
          <div className="form-grid">
            <Select
              label="A prefix begins with"
              errors={errors.prefix}
              value={spec.prefix}
              options={[
                { value: "sentence", text: "its standardized sentence" },
                { value: "target", text: "the whole target" },
              ]}
              onValue={(prefix) => change({ prefix: prefix as "sentence" | "target" })}
            />
          </div>
        </>
      )}
    </section>
  );
}

function About({ evaluation }: { evaluation: EvaluationChoice }) {
  const { category, part, in_depth, usable, reason, warnings } = evaluation;
  const tested = `Tests the ${PARTS[part] ?? part} of ${category}.`;
  return (
    <>
      {tested} {in_depth && "In depth: outside the main mean. "}
      {!usable && <b className="evaluation-warning">{reason}</b>}
      {usable &&
        warnings.map((warning) => (
          <span className="evaluation-warning" key={warning}>
            {warning}{" "}
          </span>
        ))}
    </>
  );
}
