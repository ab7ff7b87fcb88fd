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
  // Twice: a document shorter than the window reports the window's height, which hides a part of what is missing.
  for (let times = 0; page && times < 2; times += 1) {
    const missing = missingTo(window.scrollY + shift);
    if (missing > 0) page.style.minHeight = `${page.offsetHeight + Math.ceil(missing)}px`;
  }
  window.scrollBy(0, shift);
}

/** Pixels that the document lacks to be scrolled to `top`. */
function missingTo(top: number): number {
  return top + window.innerHeight - document.documentElement.scrollHeight;
}
