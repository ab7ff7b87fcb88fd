import type { ReactNode } from "react";
import { Key } from "../../components/Key";

interface ConfirmProps {
  hintId: string;
  hint: string;
  /** Why it cannot be confirmed; null where it can, or where nobody asked yet. */
  fault: string | null;
  /** Enter on the page confirms this before it submits anything. */
  isPending: boolean;
  onConfirm: () => void;
  children: ReactNode;
}

/** The button below a form that puts an answer together, with what is wrong beside it. */
export function Confirm({ hintId, hint, fault, isPending, onConfirm, children }: ConfirmProps) {
  return (
    <div className="confirm">
      <p className="hint" id={hintId}>
        {hint}
      </p>
      <p className="error" role="alert">
        {fault}
      </p>
      <button
        type="button"
        className="button"
        aria-describedby={hintId}
        data-confirm={isPending ? "" : undefined}
        onClick={onConfirm}
      >
        {children} <Key name="enter" />
      </button>
    </div>
  );
}
