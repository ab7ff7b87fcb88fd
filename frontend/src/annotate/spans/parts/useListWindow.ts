import { type RefObject, useEffect, useLayoutEffect, useState } from "react";

/** Up to here every line is on the page; beyond it, those in view and some around them. */
const ALL_SHOWN = 60;
const AROUND = 6;
/** The lines on the page change so many at a time: a list that scrolls by one line is not drawn again. */
const STEP = 6;
/** Height of a line of the list, in rem; label.css gives it the same. */
const LINE_REM = 4;

/** A row of lines, or the pixels of those that are left out from `from` on. */
type ListPart = { from: number; to: number } | { from: number; gap: number };

/** The selected line: its place (-1: none is), and who it is wherever it stands. */
interface HeldLine {
  place: number;
  id: number | null;
}

/** Which lines of a list are on the page. The selected one always is, and comes into view when it changes. */
export function useListWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  held: HeldLine,
): ListPart[] {
  const [view, setView] = useState({ from: 0, to: 2 * STEP, line: 16 * LINE_REM });
  const isWhole = count <= ALL_SHOWN;
  useEffect(() => {
    const element = scroller.current;
    if (!element || isWhole) return;
    const look = () => {
      const line = LINE_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize || "16");
      const step = STEP * line;
      const from = STEP * Math.floor(element.scrollTop / step);
      const to = STEP * Math.ceil((element.scrollTop + (element.clientHeight || 600)) / step);
      setView((now) => (now.from === from && now.to === to && now.line === line ? now : { from, to, line }));
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    return () => element.removeEventListener("scroll", look);
  }, [scroller, isWhole]);
  useHeldInView(scroller, held);
  if (isWhole) return [{ from: 0, to: count }];
  const to = Math.min(count, view.to + AROUND);
  const from = Math.min(to, Math.max(0, view.from - AROUND));
  return listParts(from, to, held.place, count, view.line);
}

function listParts(from: number, to: number, held: number, count: number, line: number): ListPart[] {
  const isApart = held !== -1 && (held < from || held >= to);
  const gap = (start: number, end: number) => ({ from: start, gap: (end - start) * line });
  const rows = [{ from, to }, ...(isApart ? [{ from: held, to: held + 1 }] : [])];
  rows.sort((a, b) => a.from - b.from);
  const parts = rows.flatMap((row, place): ListPart[] => [gap(rows[place - 1]?.to ?? 0, row.from), row]);
  return [...parts, gap(rows.at(-1)?.to ?? 0, count)].filter((part) => !("gap" in part) || part.gap > 0);
}

/** The line of the selected one is always on the page; its element says so by aria-current. */
function useHeldInView(scroller: RefObject<HTMLElement | null>, { place, id }: HeldLine): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies(place): an end that is moved moves the line
  useLayoutEffect(() => {
    if (id !== null && scroller.current) bringHeldIn(scroller.current);
  }, [scroller, place, id]);
  const isListed = place !== -1;
  // A box that other things on the page have made smaller still shows it.
  useEffect(() => {
    const element = scroller.current;
    if (!element || !isListed) return;
    const observer = new ResizeObserver(() => bringHeldIn(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, isListed]);
}

function bringHeldIn(list: HTMLElement): void {
  const line = list.querySelector(":scope > [aria-current]");
  if (!line) return;
  const [outer, inner] = [list.getBoundingClientRect(), line.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop += inner.top - outer.top;
  else if (inner.bottom > outer.bottom)
    list.scrollTop += Math.min(inner.top - outer.top, inner.bottom - outer.bottom);
}
