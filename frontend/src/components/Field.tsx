import type { InputHTMLAttributes } from "react";
import { Labelled, type LabelledProps } from "./Labelled";

type FieldProps = LabelledProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> & { onValue: (value: string) => void };

/** A labelled text input. */
export function Field({ label, hint, errors, onValue, ...input }: FieldProps) {
  return (
    <Labelled label={label} hint={hint} errors={errors}>
      {(control) => (
        <input {...input} {...control} onChange={(event) => onValue(event.currentTarget.value)} />
      )}
    </Labelled>
  );
}
