import { type SubmitEvent, useId, useState } from "react";
import { CancelButton, Dialog } from "../../../components/Dialog";
import { KeptNotice } from "../../../kept/KeptNotice";
import { useKept } from "../../../kept/useKept";

const REASONS = [
  "The text is broken or cut off",
  "It is in a language I do not read",
  "I know the speaker or the case too well to judge",
  "The codebook does not cover it",
];

interface SkipDialogProps {
  assignmentId: string;
  /** True once the skip is on this browser's disk. */
  onSkip: (reason: string) => Promise<boolean>;
  onClose: () => void;
}

/** A skipped item counts as done; the reason is stored with it: one that was chosen, or what stands in the box, which can be written in only while no other one is chosen. */
export function SkipDialog({ assignmentId, onSkip, onClose }: SkipDialogProps) {
  const id = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  const form = useKept(`skip.${assignmentId}`, "");
  const own = form.value;
  const [asked, setAsked] = useState(false);
  const reason = chosen ?? own.trim();
  const missing = asked && !reason;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setAsked(true);
    if (reason) void onSkip(reason).then((isCommitted) => isCommitted && form.saved());
  };
  return (
    <Dialog title="Skip this one" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <KeptNotice form={form} what="the reason" />
        <fieldset className="reasons">
          <legend>Why? The reason is stored, and the item counts as done.</legend>
          {REASONS.map((each) => (
            <label key={each}>
              <input type="radio" name="reason" checked={chosen === each} onChange={() => setChosen(each)} />{" "}
              {each}
            </label>
          ))}
          <label>
            <input type="radio" name="reason" checked={chosen === null} onChange={() => setChosen(null)} /> In
            my own words:
          </label>
        </fieldset>
        <div className="field">
          <label htmlFor={id}>Own words</label>
          <input
            id={id}
            className="input"
            data-first-focus
            maxLength={1_000}
            value={own}
            disabled={chosen !== null}
            aria-invalid={missing || undefined}
            aria-describedby={missing ? `${id}-missing` : undefined}
            onChange={(event) => form.set(event.currentTarget.value)}
          />
        </div>
        {missing && (
          <p className="notice bad" id={`${id}-missing`} role="alert">
            Choose a reason, or write your own.
          </p>
        )}
        <div className="row">
          <button type="submit" className="button primary">
            Skip and next
          </button>
          <CancelButton onClose={onClose} />
        </div>
      </form>
    </Dialog>
  );
}
