import { type InputHTMLAttributes, useId } from "react";

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> {
  label: string;
  hint?: string;
  errors?: string[];
  onValue: (value: string) => void;
}

/** A labelled text input with its hint and what the server said against it. */
export function Field({ label, hint, errors, onValue, ...input }: FieldProps) {
  const id = useId();
  const about = [hint && `${id}-hint`, errors && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className="input"
        aria-describedby={about}
        aria-invalid={errors ? true : undefined}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {errors && (
        <span className="error" id={`${id}-error`}>
          {errors.join(" ")}
        </span>
      )}
    </div>
  );
}
