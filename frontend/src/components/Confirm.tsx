import type { ReactNode } from "react";
import { CancelButton, Dialog } from "./Dialog";
import { Refusal } from "./Refusal";

interface ConfirmProps {
  title: string;
  children: ReactNode;
  /** What the button does, as a verb. */
  act: string;
  danger?: boolean;
  /** The words of the way back, where "Cancel" could be taken for the act. */
  back?: string;
  busy: boolean;
  /** Something must be filled in first. */
  blocked?: boolean;
  error: unknown;
  onConfirm: () => void;
  onClose: () => void;
}

/** Says what will happen before it does. */
export function Confirm({
  title,
  children,
  act,
  danger,
  back,
  busy,
  blocked,
  error,
  onConfirm,
  onClose,
}: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Refusal error={error} />
      <div className="row">
        <button
          type="button"
          className={danger ? "button danger" : "button primary"}
          disabled={busy || blocked}
          onClick={onConfirm}
        >
          {act}
        </button>
        <CancelButton onClose={onClose}>{back}</CancelButton>
      </div>
    </Dialog>
  );
}
