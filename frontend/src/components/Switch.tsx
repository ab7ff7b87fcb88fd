import type { Option } from "./Select";

interface SwitchProps<T extends string> {
  label: string;
  value: T;
  options: readonly (Option & { value: T })[];
  onValue: (value: T) => void;
}

/** Two or three views of the same thing. */
export function Switch<T extends string>({ label, value, options, onValue }: SwitchProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce the buttons as a form's fields.
    <div className="switch" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className="button"
          aria-pressed={option.value === value}
          onClick={() => onValue(option.value)}
        >
          {option.text}
        </button>
      ))}
    </div>
  );
}
