import { type RefObject, useCallback, useMemo, useRef } from "react";

/** The comment box of the span in hand, and the ways in and out of it. */
export interface CommentFocus {
  ref: RefObject<HTMLTextAreaElement | null>;
  /** Behind what is written; false where there is no box. */
  enter: () => boolean;
  /** Back to where the page was scrolled to, where the way in has scrolled it. */
  goBack: () => void;
}

export function useCommentFocus(): CommentFocus {
  const ref = useRef<HTMLTextAreaElement>(null);
  const scrolled = useRef<number | null>(null);
  const enter = useCallback(() => {
    const box = ref.current;
    if (!box) return false;
    if (document.activeElement !== box) scrolled.current = window.scrollY;
    box.focus();
    box.setSelectionRange(box.value.length, box.value.length);
    return true;
  }, []);
  const goBack = useCallback(() => {
    if (scrolled.current !== null && scrolled.current !== window.scrollY)
      window.scrollTo(0, scrolled.current);
    scrolled.current = null;
  }, []);
  return useMemo(() => ({ ref, enter, goBack }), [enter, goBack]);
}
