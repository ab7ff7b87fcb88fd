import { useState } from "react";
import { Field } from "../../../components/Field";

interface KeyFieldProps {
  hint?: string;
  value: string;
  /** The keys of the others of its kind. */
  taken: readonly string[];
  errors?: string[];
  onKey: (key: string) => void;
}

/**
 * A key, taken once its field is left: what names it follows, and on the way a key may be that of another. One that
 * another has already is not taken.
 */
export function KeyField({ hint, value, taken, errors, onKey }: KeyFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const isTaken = typed !== null && taken.includes(typed);
  return (
    <Field
      label="Key"
      hint={hint}
      value={typed ?? value}
      errors={isTaken ? ["Another one has this key."] : errors}
      onValue={setTyped}
      onBlur={() => {
        if (typed === null || isTaken) return;
        if (typed !== value) onKey(typed);
        setTyped(null);
      }}
    />
  );
}
