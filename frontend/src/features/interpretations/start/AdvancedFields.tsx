import { bindFields } from "../../../components/bindFields";
import { Disclosure } from "../../../components/Disclosure";
import { Field } from "../../../components/Field";
import { Select } from "../../../components/Select";
import { RULES } from "../copy";
import type { PartProps } from "./spec";

const BY_RULES = Object.entries(RULES).map(([value, text]) => ({ value, text }));
const FIELDS = /^(rules|replace_positive|training)\b/;

/** What few people change. It unfolds by itself where something in it is to be corrected. */
export function AdvancedFields(props: PartProps) {
  if (Object.keys(props.errors).some((field) => FIELDS.test(field))) return <Advanced {...props} />;
  return (
    <Disclosure title="Advanced: rules of instances, learning rate, and how long models are trained">
      <Advanced {...props} />
    </Disclosure>
  );
}

function Advanced({ spec, errors, change }: PartProps) {
  const field = bindFields(spec, errors, change);
  return (
    <section className="card stack" aria-labelledby="advanced">
      <h2 id="advanced">Advanced</h2>
      <div className="form-grid">
        <Select
          label="Rules of instances"
          hint="The paper takes one instance of each target that has a member, the programs every occurrence. They draw negatives in other ways too."
          errors={errors.rules}
          value={spec.rules}
          options={BY_RULES}
          onValue={(rules) => change({ rules })}
        />
        <Field
          label="Learning rate, at most"
          inputMode="decimal"
          placeholder="that of the kind"
          hint="For all systems, such as 0.0001. Left empty, each kind has the paper’s. Parts with smaller rates keep their ratio."
          {...field("learningRate", "training.learning_rate")}
        />
        <Select
          label="The rate falls"
          hint="To a hundredth of the maximum by the paper, to a hundredth of that by the programs."
          errors={errors["training.schedule"]}
          value={spec.schedule}
          options={BY_RULES}
          onValue={(schedule) => change({ schedule })}
        />
        <Field
          label="Epochs without a lower loss"
          inputMode="numeric"
          hint="Training stops after so many in which the validation loss did not fall. More take longer."
          {...field("patience", "training.patience")}
        />
        <Field
          label="Training examples at a time"
          inputMode="numeric"
          hint="The paper has 4. More take more memory."
          {...field("batchSize", "training.batch_size")}
        />
      </div>
      <label className="row">
        <input
          type="checkbox"
          checked={spec.replacePositive}
          onChange={() => change({ replacePositive: !spec.replacePositive })}
        />
        Put another member of its class in the place of the true continuation
      </label>
    </section>
  );
}
