import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Keeps an element where the eye left it while something above it opens or closes: call the returned function right
 * before the change. Where the document is too short to scroll that
 * far, `page` is made taller.
 */
export function useStay(
  target: RefObject<HTMLElement | null>,
  page: RefObject<HTMLElement | null>,
): () => void {
  const heldTop = useRef<number | null>(null);
  useLayoutEffect(() => {
    const element = target.current;
    if (heldTop.current === null || !element) return;
    const shift = element.getBoundingClientRect().top - heldTop.current;
    heldTop.current = null;
    if (shift !== 0) scrollWithRoom(shift, page.current);
  });
  return () => {
    heldTop.current = target.current?.getBoundingClientRect().top ?? null;
  };
}

function scrollWithRoom(shift: number, page: HTMLElement | null): void {
  const top = window.scrollY + shift;
  if (page) {
    const begins = page.getBoundingClientRect().top + window.scrollY;
    const needed = Math.ceil(top + window.innerHeight - begins);
    if (needed > page.offsetHeight) page.style.minHeight = `${needed}px`;
  }
  window.scrollTo(0, top);
}
