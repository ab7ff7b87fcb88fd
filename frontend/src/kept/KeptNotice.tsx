import { momentHere } from "../components/words";
import { useAskBeforeLeaving } from "./leaving";
import type { KeptForm } from "./useKept";

interface KeptNoticeProps {
  form: Pick<KeptForm<unknown>, "restored" | "isKept" | "discard">;
  /** What was typed, as in "Restored the codebook that you had typed". */
  what: string;
}

/** Says what was restored, and that the browser keeps nothing, where it does not: leaving the page asks first then. */
export function KeptNotice({ form, what }: KeptNoticeProps) {
  const { restored, isKept, discard } = form;
  useAskBeforeLeaving(isKept ? null : `This browser could not keep ${what} that you typed.`);
  return (
    <>
      {restored && (
        <p className="notice row kept-notice" role="status">
          <span>
            Restored {what} that you had typed and not saved, from {momentHere(restored.at)}.
          </span>
          <button type="button" className="button quiet inline" onClick={discard}>
            Discard
          </button>
        </p>
      )}
      {!isKept && (
        <p className="notice warn" role="alert">
          This browser keeps nothing more for this site: its storage is full or switched off. Save before you
          leave this page, or what you typed is lost.
        </p>
      )}
    </>
  );
}
