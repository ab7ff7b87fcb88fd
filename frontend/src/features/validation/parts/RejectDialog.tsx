import { type SubmitEvent, useId, useState } from "react";
import { CancelButton, Dialog } from "../../../components/Dialog";
import { Key } from "../../../components/Key";
import { Refusal } from "../../../components/Refusal";
import { KeptNotice } from "../../../kept/KeptNotice";
import type { KeptForm } from "../../../kept/useKept";
import { keyNames } from "../../../keyboard/keys";
import { WHAT } from "../useRejection";

interface RejectDialogProps {
  isBusy: boolean;
  error: unknown;
  /** The reason. */
  form: KeptForm<string>;
  onReject: () => void;
  onClose: () => void;
  /** Closes it, and leaves nothing of the reason. */
  onDrop: () => void;
}

/** None of the annotations can be used; the reason is stored with that. */
export function RejectDialog({ isBusy, error, form, onReject, onClose, onDrop }: RejectDialogProps) {
  const id = useId();
  const [asked, setAsked] = useState(false);
  const reason = form.value;
  const missing = asked && reason.trim() === "";
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setAsked(true);
    if (reason.trim() !== "") onReject();
  };
  return (
    <Dialog title="Reject all annotations" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>
          None of them becomes the item’s aggregated annotation. They stay as they are, and you can reopen
          this.
        </p>
        <KeptNotice form={form} what={WHAT} />
        <div className="field">
          <label htmlFor={id}>Why?</label>
          <textarea
            id={id}
            className="input"
            data-first-focus
            maxLength={1_000}
            value={reason}
            aria-invalid={missing || undefined}
            aria-describedby={missing ? `${id}-missing` : undefined}
            onChange={(event) => form.set(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (!keyNames(event).includes("ctrl+enter")) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        </div>
        {missing && (
          <p className="notice bad" id={`${id}-missing`} role="alert">
            Say why none of them can be used.
          </p>
        )}
        <Refusal error={error} />
        <div className="row">
          <button type="submit" className="button primary" disabled={isBusy}>
            Reject all <Key name="ctrl+enter" />
          </button>
          <CancelButton onClose={onDrop} />
        </div>
      </form>
    </Dialog>
  );
}
