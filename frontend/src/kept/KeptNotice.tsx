import { momentHere } from "../text/format";
import { useAskBeforeLeaving } from "./leaving";
import type { KeptForm } from "./useKept";

interface KeptNoticeProps {
  form: Pick<KeptForm<unknown>, "restored" | "elsewhere" | "isKept" | "discard">;
  /** What was typed, as in "Restored the codebook that you had typed". */
  what: string;
}

/** Says what was restored, and that the browser keeps nothing, where it does not: leaving the page asks first then. */
export function KeptNotice({ form, what }: KeptNoticeProps) {
  const { restored, elsewhere, isKept, discard } = form;
  useAskBeforeLeaving(isKept ? null : `This browser could not keep ${what} that you typed.`);
  return (
    <>
      {elsewhere === "gone" && (
        <p className="notice warn" role="status">
          You saved or discarded {what} in another tab. What you see here is no longer kept, unless you change
          it.
        </p>
      )}
      {(restored || elsewhere === "changed") && (
        <p className="notice row kept-notice" role="status">
          <span>
            {elsewhere === "changed" || !restored
              ? `You changed ${what} in another tab. What you typed there is what you see here.`
              : `Restored ${what} that you had typed and not saved, from ${momentHere(restored.at)}.`}
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
