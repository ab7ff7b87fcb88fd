import { useAskBeforeLeaving } from "../../kept/leaving";
import { type KeptForm, useKept } from "../../kept/useKept";

/** What a rejection's reason is called where it is restored. */
export const WHAT = "the reason";

/** The reason of a rejection in the making, empty where none is: kept in the browser until it is stored or dropped. */
export function useRejection(itemId: string): KeptForm<string> {
  const form = useKept(`rejection.${itemId}`, "");
  // The dialog that says so may be closed.
  useAskBeforeLeaving(form.isKept ? null : `This browser could not keep ${WHAT} that you typed.`);
  return form;
}
