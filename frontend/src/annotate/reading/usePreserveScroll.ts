import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Keeps an element where the eye left it while something above it opens or closes: call the returned function right
 * before the change. Where the document is too short to scroll that
 * far, `page` is made taller.
 */
export function usePreserveScroll(
  target: RefObject<HTMLElement | null>,
  page: RefObject<HTMLElement | null>,
): () => void {
  const heldTop = useRef<number | null>(null);
  useLayoutEffect(() => {
    const element = target.current;
    if (heldTop.current === null || !element) return;
    const shift = element.getBoundingClientRect().top - heldTop.current;
    heldTop.current = null;
    const panel = panelOf(element);
    if (panel) panel.scrollTop += shift;
    else if (shift !== 0) scrollWithRoom(shift, page.current);
  });
  return () => {
    heldTop.current = target.current?.getBoundingClientRect().top ?? null;
  };
}

/** On a phone the text scrolls by itself, above the questions. */
function panelOf(element: Element): Element | null {
  const panel = element.closest(".reading-side");
  return panel && getComputedStyle(panel).overflowY === "auto" ? panel : null;
}

/** Brings the sentence into view in the panel that it scrolls in, where it does. */
export function showInPanel(element: Element | null): void {
  const panel = element && panelOf(element);
  if (!panel) return;
  const [outer, inner] = [panel.getBoundingClientRect(), element.getBoundingClientRect()];
  const below = inner.bottom + BELOW_PX - outer.bottom;
  if (below > 0) panel.scrollTop += Math.min(below, inner.top - outer.top);
}

/** Room for the line that marks the sentence. */
const BELOW_PX = 12;

function scrollWithRoom(shift: number, page: HTMLElement | null): void {
  const top = window.scrollY + shift;
  if (page) {
    const begins = page.getBoundingClientRect().top + window.scrollY;
    const needed = Math.ceil(top + window.innerHeight - begins);
    if (needed > page.offsetHeight) page.style.minHeight = `${needed}px`;
  }
  window.scrollTo(0, top);
}
