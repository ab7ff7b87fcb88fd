import { type RefObject, useCallback, useMemo, useRef } from "react";

/** Into the card of the selected span, and out of it again. */
export interface CardFocus {
  cardRef: RefObject<HTMLElement | null>;
  commentRef: RefObject<HTMLTextAreaElement | null>;
  sourceRef: RefObject<HTMLFieldSetElement | null>;
  /** Into the comment box, behind what is written; false where there is none. */
  enterComment: () => boolean;
  /** To the source that is chosen, else to the first; false where none can be. */
  enterSource: () => boolean;
  /** Scrolls the card into view: in a narrow window it stands below the text. */
  show: () => void;
  /** Back to where the page was scrolled to, where the way in has scrolled it. */
  goBack: () => void;
}

export function useCardFocus(): CardFocus {
  const cardRef = useRef<HTMLElement>(null);
  const commentRef = useRef<HTMLTextAreaElement>(null);
  const sourceRef = useRef<HTMLFieldSetElement>(null);
  const scrolled = useRef<number | null>(null);
  const enter = useCallback((control: HTMLElement | null | undefined) => {
    if (!control) return false;
    if (!control.closest(".span-card")?.contains(document.activeElement)) scrolled.current = window.scrollY;
    control.focus();
    return true;
  }, []);
  const enterComment = useCallback(() => {
    const box = commentRef.current;
    const isIn = enter(box);
    box?.setSelectionRange(box.value.length, box.value.length);
    return isIn;
  }, [enter]);
  const enterSource = useCallback(() => {
    const options = sourceRef.current;
    return enter(options?.querySelector<HTMLElement>("input:checked") ?? options?.querySelector("input"));
  }, [enter]);
  const show = useCallback(() => {
    scrolled.current = window.scrollY;
    cardRef.current?.scrollIntoView?.({ block: "nearest" });
  }, []);
  const goBack = useCallback(() => {
    if (scrolled.current !== null && scrolled.current !== window.scrollY)
      window.scrollTo(0, scrolled.current);
    scrolled.current = null;
  }, []);
  return useMemo(
    () => ({ cardRef, commentRef, sourceRef, enterComment, enterSource, show, goBack }),
    [enterComment, enterSource, show, goBack],
  );
}
