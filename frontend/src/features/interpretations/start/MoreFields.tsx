import { bindFields } from "../../../components/bindFields";
import { Field } from "../../../components/Field";
import { Select } from "../../../components/Select";
import type { PartProps } from "./spec";

/** How texts are generated and compared. */
export function MoreFields({ choices, spec, errors, change }: PartProps) {
  const field = bindFields(spec, errors, change);
  return (
    <section className="card stack" aria-labelledby="how">
      <h2 id="how">How texts are generated and compared</h2>
      <div className="form-grid">
        <Field
          label="Sources, at most"
          inputMode="numeric"
          hint="How many get a generated text. 0 takes all."
          {...field("limit", "generation.limit")}
        />
        <Field
          label="Beams"
          inputMode="numeric"
          hint="The paper has 5. Fewer are faster."
          {...field("beams", "generation.beams")}
        />
        <Field
          label="Tokens, at least"
          inputMode="numeric"
          {...field("minTokens", "generation.min_tokens")}
        />
        <Field label="Tokens, at most" inputMode="numeric" {...field("maxTokens", "generation.max_tokens")} />
        <Select
          label="Encoder of BERTScore"
          hint={encoderHint(choices, spec.bertscore)}
          errors={errors.bertscore}
          value={spec.bertscore}
          options={[
            { value: "", text: "No BERTScore" },
            ...choices.encoders
              .filter(({ available }) => available)
              .map(({ name, title }) => ({ value: name, text: title })),
          ]}
          onValue={(bertscore) => change({ bertscore })}
        />
        <Field
          label="Seed"
          inputMode="numeric"
          hint="The same seed gives the same weights, texts and instances on the same machine."
          {...field("seed")}
        />
      </div>
    </section>
  );
}

function encoderHint({ encoders }: PartProps["choices"], name: string): string {
  const note = encoders.find((each) => each.name === name)?.note ?? "";
  return `${note} Figures of two encoders cannot be compared.`.trim();
}
