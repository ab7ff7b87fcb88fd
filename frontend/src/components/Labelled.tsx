import { type ReactNode, useId } from "react";

export interface LabelledProps {
  label: string;
  hint?: ReactNode;
  errors?: string[];
}

interface ControlProps {
  id: string;
  className: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

/** Ties a control to its label, its hint and what the server said against it. */
export function Labelled({
  label,
  hint,
  errors,
  children,
}: LabelledProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const about = [hint && `${id}-hint`, errors && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: "input",
        "aria-describedby": about,
        "aria-invalid": errors ? true : undefined,
      })}
      <Notes id={id} hint={hint} errors={errors} />
    </div>
  );
}

/** Several faults, as those of a file's lines, stand one below the other. */
function Errors({ id, errors }: { id: string; errors: string[] }) {
  if (errors.length < 2)
    return (
      <span className="error" id={id}>
        {errors}
      </span>
    );
  return (
    <ul className="error reasons" id={id}>
      {errors.map((error) => (
        <li key={error}>{error}</li>
      ))}
    </ul>
  );
}

/** What stands under a control; its `aria-describedby` names both. */
export function Notes({ id, hint, errors }: { id: string; hint?: ReactNode; errors?: string[] }) {
  return (
    <>
      {hint && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {errors && <Errors id={`${id}-error`} errors={errors} />}
    </>
  );
}
