import { type ReactNode, useId } from "react";
import { Notes } from "./Labelled";

interface Choice<T extends string> {
  value: T;
  text: string;
  help?: ReactNode;
  /** It cannot be chosen; `help` says why. */
  isOff?: boolean;
}

interface ChoicesProps<T extends string> {
  legend: string;
  choices: readonly Choice<T>[];
  hint?: ReactNode;
  errors?: string[];
  /** Side by side where there is room. */
  inColumns?: boolean;
}

/** One of several, each with its own line of help. */
export function RadioChoices<T extends string>({
  value,
  onValue,
  ...rest
}: ChoicesProps<T> & { value: T; onValue: (value: T) => void }) {
  return <Group {...rest} type="radio" isChosen={(choice) => choice === value} onChange={onValue} />;
}

/** Any number of several. */
export function CheckChoices<T extends string>({
  values,
  onValues,
  ...rest
}: ChoicesProps<T> & { values: readonly T[]; onValues: (values: T[]) => void }) {
  const toggle = (choice: T) =>
    onValues(values.includes(choice) ? values.filter((value) => value !== choice) : [...values, choice]);
  return <Group {...rest} type="checkbox" isChosen={(choice) => values.includes(choice)} onChange={toggle} />;
}

interface GroupProps<T extends string> extends ChoicesProps<T> {
  type: "radio" | "checkbox";
  isChosen: (choice: T) => boolean;
  onChange: (choice: T) => void;
}

function Group<T extends string>({
  legend,
  choices,
  hint,
  errors,
  inColumns,
  type,
  isChosen,
  onChange,
}: GroupProps<T>) {
  const id = useId();
  const about = [hint && `${id}-hint`, errors && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return (
    <fieldset className={inColumns ? "choices columns" : "choices"} aria-describedby={about}>
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <div className="choice" key={choice.value}>
          <input
            id={`${id}-${choice.value}`}
            type={type}
            name={id}
            checked={isChosen(choice.value)}
            disabled={choice.isOff && !isChosen(choice.value)}
            aria-describedby={choice.help ? `${id}-${choice.value}-help` : undefined}
            onChange={() => onChange(choice.value)}
          />
          <div>
            <label htmlFor={`${id}-${choice.value}`}>{choice.text}</label>
            {choice.help && (
              <span className="hint" id={`${id}-${choice.value}-help`}>
                {choice.help}
              </span>
            )}
          </div>
        </div>
      ))}
      <Notes id={id} hint={hint} errors={errors} />
    </fieldset>
  );
}
