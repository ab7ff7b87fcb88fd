import { type RefObject, useCallback, useRef } from "react";

/** The comment box of the span in hand, and the way into it: behind what is written; false where there is none. */
export function useCommentFocus(): [RefObject<HTMLTextAreaElement | null>, () => boolean] {
  const ref = useRef<HTMLTextAreaElement>(null);
  const focus = useCallback(() => {
    const box = ref.current;
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
    return box !== null;
  }, []);
  return [ref, focus];
}
