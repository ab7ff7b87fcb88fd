import { useState } from "react";
import { Field } from "../../../components/Field";
import type { LabelledProps } from "../../../components/Labelled";

interface NumberFieldProps extends LabelledProps {
  value: unknown;
  onNumber: (value: number | string | undefined) => void;
}

/** A field for a number that may be left out. What is no number stays as it is typed, and the server names it. */
export function NumberField({ value, onNumber, ...about }: NumberFieldProps) {
  const [typed, setTyped] = useState(wordsOf(value));
  // What goes on, as "1.0" on the way to "1.05", is the number 1 already.
  const shown = numberOf(typed) === (value ?? undefined) ? typed : wordsOf(value);
  return (
    <Field
      {...about}
      inputMode="decimal"
      value={shown}
      onValue={(now) => {
        setTyped(now);
        onNumber(numberOf(now));
      }}
    />
  );
}

function numberOf(typed: string): number | string | undefined {
  const text = typed.trim();
  if (text === "") return undefined;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : typed;
}

function wordsOf(value: unknown): string {
  return typeof value === "number" || typeof value === "string" ? String(value) : "";
}
