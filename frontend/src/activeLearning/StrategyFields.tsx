import type { OptionValue, Strategy, StrategyOption } from "../api/rounds";
import { Field } from "../components/Field";
import { Select } from "../components/Select";
import { presetValues, rangeWords } from "./roundSpec";

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
  const preset = presetValues(strategy, values);
  return (
    <div className="form-grid">
      {strategy.options.map((option) => (
        <OptionField
          key={option.name}
          option={option}
          value={values[option.name]}
          errors={errors[`options.${option.name}`]}
          preset={preset}
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
  preset: Record<string, OptionValue>;
  onValue: (value: string) => void;
}

function OptionField({ option, value, errors, preset, onValue }: OptionFieldProps) {
  const usual = `${preset[option.name] ?? option.default}`;
  const usualWords = `${usual} (${option.name in preset ? "the preset" : "default"})`;
  const shared = { label: option.name.replaceAll("_", " "), errors, onValue };
  if (option.type === "choice" || option.type === "bool") {
    const choices = option.type === "bool" ? ["true", "false"] : option.choices;
    return (
      <Select
        {...shared}
        hint={option.name === "preset" ? [option.help, ...presetWords(preset)].join(" ") : option.help}
        value={value ?? ""}
        options={[
          { value: "", text: usualWords },
          ...choices
            .filter((choice) => choice !== usual || choice === value)
            .map((choice) => ({ value: choice, text: choice })),
        ]}
      />
    );
  }
  return (
    <Field
      {...shared}
      inputMode={option.type === "int" ? "numeric" : "decimal"}
      hint={`${option.help} A number${rangeWords(option)}; empty: ${usualWords}.`}
      value={value ?? ""}
    />
  );
}

/** "It sets k = 10, metric = cosine.", or nothing. */
function presetWords(preset: Record<string, OptionValue>): string[] {
  const sets = Object.entries(preset).map(([name, value]) => `${name.replaceAll("_", " ")} = ${value}`);
  return sets.length > 0 ? [`It sets ${sets.join(", ")}.`] : [];
}
