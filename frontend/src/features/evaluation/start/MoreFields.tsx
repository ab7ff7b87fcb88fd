import { Link } from "react-router";
import { bindFields } from "../../../components/bindFields";
import { Field } from "../../../components/Field";
import { Select } from "../../../components/Select";
import { count } from "../../../text/format";
import { chosenModels, type PartProps } from "./spec";

/** How the systems are asked and compared. */
export function MoreFields({ projectId, ...part }: PartProps & { projectId: string }) {
  const { choices, spec, errors, change } = part;
  const field = bindFields(spec, errors, change);
  const { limits } = choices;
  return (
    <section className="card stack" aria-labelledby="how">
      <h2 id="how">How they are asked and compared</h2>
      <div className="form-grid">
        <Field
          label="Folds"
          inputMode="numeric"
          hint="A trained model predicts each fold from the others."
          {...field("folds")}
        />
        <Field
          label="Seed"
          inputMode="numeric"
          hint="The same seed gives the same folds and examples."
          {...field("seed")}
        />
        <Field
          label="Examples in a prompt"
          inputMode="numeric"
          hint={`For language models, ${count(limits.examples)} at most. They never come from the item's own fold.`}
          {...field("examples")}
        />
        <Field
          label="Unlabelled items"
          inputMode="numeric"
          hint="Asked about too, to estimate how often a label occurs in the pool. 0 asks about none."
          {...field("pool")}
        />
        {choices.batches.length > 0 && (
          <Select
            label="Batch that is asked about too"
            hint="Language models predict its items without a gold label too: to be suggested to its annotators, or to stand beside votes that adjudicators decide."
            errors={errors.batch}
            value={spec.batch}
            options={[
              { value: "", text: "None" },
              ...choices.batches.map((number) => ({ value: String(number), text: `Round ${number}` })),
            ]}
            onValue={(batch) => change({ batch })}
          />
        )}
        <Select
          label="Benefit of the doubt (ε)"
          hint="What a system may be worse than a person and still stand in for one."
          errors={errors.epsilon}
          value={spec.epsilon}
          options={[
            { value: "0.2", text: "0.20: the people are experts" },
            { value: "0.15", text: "0.15: the people were trained" },
            { value: "0.1", text: "0.10: a crowd" },
          ]}
          onValue={(epsilon) => change({ epsilon })}
        />
      </div>
      {chosenModels(spec, choices).length > 0 && <Prompts {...part} projectId={projectId} />}
    </section>
  );
}

/** Which version of each stage's prompt is used: the newest, unless another one is chosen. */
function Prompts({ choices, spec, errors, change, projectId }: PartProps & { projectId: string }) {
  const prompts = choices.prompts.filter(({ stage }) => spec.stages.includes(stage));
  const titleOf = (key: string) => choices.stages.find((stage) => stage.key === key)?.title ?? key;
  return (
    <fieldset className="choices">
      <legend>Prompts</legend>
      <div className="form-grid">
        {prompts.map(({ stage, number, versions }) => (
          <Select
            key={stage}
            label={titleOf(stage)}
            errors={errors[`prompts.${stage}`]}
            value={String(spec.prompts[stage] ?? number)}
            options={[
              ...versions
                .toSorted((a, b) => b.number - a.number)
                .map((each) => ({ value: String(each.number), text: `Version ${each.number}` })),
              { value: "0", text: "The default" },
            ]}
            onValue={(value) => change({ prompts: { ...spec.prompts, [stage]: Number(value) } })}
          />
        ))}
      </div>
      <p className="small">
        <Link to={`/projects/${projectId}/evaluation/prompts`}>Edit the prompts</Link>. What you chose here is
        kept.
      </p>
    </fieldset>
  );
}
