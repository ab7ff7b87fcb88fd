import { Field } from "../../components/Field";
import { Select } from "../../components/Select";
import type { Strategy, StrategyOption } from "./api";
import { rangeWords } from "./spec";

interface StrategyFieldsProps {
  strategy: Strategy;
  values: Record<string, string>;
  errors: Record<string, string[]>;
  /** undefined: back to the default. */
  onOption: (name: string, value: string | undefined) => void;
}

/** The chosen strategy's options, as the server declares them. */
export function StrategyFields({ strategy, values, errors, onOption }: StrategyFieldsProps) {
  if (strategy.options.length === 0) return null;
  const preset = strategy.options.find((option) => option.name === "preset");
  const presetMoved = Boolean(preset && values.preset !== undefined && values.preset !== preset.default);
  return (
    <div className="form-grid">
      {strategy.options.map((option) => (
        <OptionField
          key={option.name}
          option={option}
          value={values[option.name]}
          errors={errors[`options.${option.name}`]}
          presetDecides={presetMoved && option.name !== "preset"}
          onValue={(value) => onOption(option.name, value || undefined)}
        />
      ))}
    </div>
  );
}

interface OptionFieldProps {
  option: StrategyOption;
  value: string | undefined;
  errors: string[] | undefined;
  presetDecides: boolean;
  onValue: (value: string) => void;
}

function OptionField({ option, value, errors, presetDecides, onValue }: OptionFieldProps) {
  const usual = presetDecides ? "as the preset sets it" : `${option.default}`;
  const shared = { label: option.name.replaceAll("_", " "), errors, onValue };
  if (option.type === "choice" || option.type === "bool") {
    const choices = option.type === "bool" ? ["true", "false"] : option.choices;
    return (
      <Select
        {...shared}
        hint={option.help}
        value={value ?? ""}
        options={[
          { value: "", text: presetDecides ? usual : `${usual} (default)` },
          ...choices
            .filter((choice) => presetDecides || choice !== String(option.default))
            .map((choice) => ({ value: choice, text: choice })),
        ]}
      />
    );
  }
  return (
    <Field
      {...shared}
      inputMode={option.type === "int" ? "numeric" : "decimal"}
      hint={`${option.help} A number${rangeWords(option)}; empty: ${usual}.`}
      value={value ?? ""}
    />
  );
}
