import { Select } from "../../../components/Select";
import { goldKey, type PartProps } from "./spec";

/** Which labels of people the systems are compared with. */
export function GoldFields({ choices, spec, errors, change }: PartProps) {
  return (
    <div className="form-grid">
      <Select
        label="Gold labels"
        hint="A release never changes, so that others can repeat what you do."
        errors={errors.gold ?? errors["gold.number"]}
        value={spec.gold}
        options={choices.gold.map((gold) => ({ value: goldKey(gold), text: gold.title }))}
        onValue={(gold) => change({ gold })}
      />
      {spec.gold === "labels" && (
        <>
          <Select
            label="Whose answers"
            errors={errors["gold.phase"]}
            value={spec.phase}
            options={[
              { value: "1", text: "Independent answers" },
              { value: "2", text: "Answers after second looks" },
            ]}
            onValue={(phase) => change({ phase: phase as "1" | "2" })}
          />
          <Select
            label="Items that were adjudicated"
            errors={errors["gold.adjudicated"]}
            value={spec.adjudicated ? "yes" : "no"}
            options={[
              { value: "yes", text: "Take the adjudicators' labels" },
              { value: "no", text: "Take majorities alone" },
            ]}
            onValue={(value) => change({ adjudicated: value === "yes" })}
          />
        </>
      )}
    </div>
  );
}
