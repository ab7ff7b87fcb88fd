import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Keeps an element where the eye left it while something above it opens or closes: call the returned function right
 * before the change. The page gets room at its end where it would be too short to scroll that far.
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
  const root = document.documentElement;
  const missing = window.scrollY + shift + window.innerHeight - root.scrollHeight;
  if (page && missing > 0) {
    const before = Number.parseFloat(getComputedStyle(page).paddingBottom) || 0;
    page.style.paddingBottom = `${before + missing + 1}px`;
  }
  window.scrollBy(0, shift);
}
