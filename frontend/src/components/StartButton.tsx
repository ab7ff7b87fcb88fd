import { useId } from "react";

interface StartButtonProps {
  /** "the evaluation". */
  what: string;
  /** Why the model worker takes nothing up; null or undefined while it does. */
  away: string | null | undefined;
  isSending: boolean;
}

/** The end of a form that starts a job of the model worker: why nothing can be started, and the button. */
export function StartButton({ what, away, isSending }: StartButtonProps) {
  const whyId = useId();
  return (
    <>
      {away && (
        <p className="notice bad" id={whyId} role="alert">
          {away} Start it, then start {what}.
        </p>
      )}
      <div className="row">
        <button
          type="submit"
          className="button primary"
          disabled={isSending}
          aria-disabled={Boolean(away) || undefined}
          aria-describedby={away ? whyId : undefined}
        >
          {isSending ? "Sending" : `Start ${what}`}
        </button>
      </div>
    </>
  );
}
