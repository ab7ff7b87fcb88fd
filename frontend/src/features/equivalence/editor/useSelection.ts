import { useMemo, useState } from "react";
import { between, type Shown } from "../model/found";

export interface Press {
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** Which strings an act is about: those that are selected or else, but for a finger, the one at hand. */
export function useSelection(shown: readonly Shown[], isTouch: boolean) {
  const [atHand, setAtHand] = useState<string | null>(null);
  const [selected, setSelected] = useState(NONE);
  // Where a range begins: the string that was pressed last.
  const [anchor, setAnchor] = useState<string | null>(null);

  const toggled = (text: string, from: ReadonlySet<string>) => {
    const next = new Set(from);
    if (!next.delete(text)) next.add(text);
    return next;
  };
  const place = shown.findIndex(({ text }) => text === atHand);
  const neighbour = (by: -1 | 1) =>
    shown[place === -1 ? (by === 1 ? 0 : shown.length - 1) : place + by]?.text;
  const goTo = (text: string | null) => {
    setAtHand(text);
    setAnchor(null);
  };
  const range = (from: string, to: string) => {
    setSelected(new Set(between(shown, from, to)));
    setAtHand(to);
    setAnchor(from);
  };
  const targets = useMemo(
    () => (selected.size > 0 ? [...selected] : atHand === null || isTouch ? [] : [atHand]),
    [selected, atHand, isTouch],
  );
  return {
    ...{ atHand, selected, goTo },
    targets,
    /** As in a list of files: a press chooses one, Ctrl adds or removes one, Shift chooses a range. A finger adds. */
    press: (text: string, { shiftKey, ctrlKey, metaKey }: Press) => {
      const begun = anchor ?? atHand;
      if (shiftKey && begun !== null) return range(begun, text);
      if (ctrlKey || metaKey || isTouch) {
        const isFirst = selected.size === 0 && anchor !== null && anchor !== text && !isTouch;
        setSelected(toggled(text, isFirst ? new Set([anchor]) : selected));
      } else setSelected(NONE);
      setAtHand(text);
      setAnchor(text);
    },
    toggle: (text: string | null = atHand) => {
      if (text === null) return;
      setSelected(toggled(text, selected));
      setAtHand(text);
    },
    move: (by: -1 | 1): string | null => {
      const next = neighbour(by);
      if (next === undefined) return null;
      goTo(next);
      return next;
    },
    extend: (by: -1 | 1): string | null => {
      const next = neighbour(by);
      if (next === undefined) return null;
      range(anchor ?? atHand ?? next, next);
      return next;
    },
    all: () => setSelected(new Set(shown.map(({ text }) => text))),
    clear: () => {
      setSelected(NONE);
      setAnchor(null);
    },
    /** These alone. */
    only: (texts: readonly string[]) => setSelected(new Set(texts)),
  };
}

export type Selection = ReturnType<typeof useSelection>;
