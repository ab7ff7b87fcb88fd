import { Labelled, type LabelledProps } from "./Labelled";

export interface Option {
  value: string;
  text: string;
}

interface SelectProps extends LabelledProps {
  value: string;
  options: readonly Option[];
  disabled?: boolean;
  onValue: (value: string) => void;
}

export function Select({ value, options, disabled, onValue, ...about }: SelectProps) {
  return (
    <Labelled {...about}>
      {(control) => (
        <select
          {...control}
          value={value}
          disabled={disabled}
          onChange={(event) => onValue(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
