import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isSameWord } from "../model/editor";

/** After so long without a letter, what was typed reaches the spans. */
const PAUSE_MS = 300;

interface Typing {
  value: string;
  type: (comment: string) => void;
  /** Hands on at once what is still held back, so that whatever comes next finds it. */
  settle: () => void;
}

/**
 * A comment as it is typed. A letter changes its box alone; the spans, with all that is worked out from them, change at a
 * pause, and before anything else is done: a click, a command, leaving the box or the page. Words stay steps of undo.
 */
export function useTyping(stored: string, onComment: (comment: string) => void): Typing {
  const [typed, setTyped] = useState<string | null>(null);
  const words = useRef<string[]>([]);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const handOn = useRef(onComment);
  useLayoutEffect(() => {
    handOn.current = onComment;
  });
  const hand = useCallback(() => {
    clearTimeout(pause.current);
    for (const word of words.current.splice(0)) handOn.current(word);
    setTyped(null);
  }, []);
  const settle = useCallback(() => {
    if (words.current.length > 0) flushSync(hand);
  }, [hand]);
  useBeforeAll(settle);
  useEffect(() => hand, [hand]);
  const type = (comment: string) => {
    const before = words.current.at(-1);
    if (before !== undefined && isSameWord(before, comment)) words.current.pop();
    words.current.push(comment);
    setTyped(comment);
    clearTimeout(pause.current);
    pause.current = setTimeout(hand, PAUSE_MS);
  };
  return { value: typed ?? stored, type, settle };
}

/** Ahead of every other listener: of clicks, of the page being hidden, of the browser's way back. */
function useBeforeAll(act: () => void): void {
  useEffect(() => {
    const first = { capture: true };
    document.addEventListener("click", act, first);
    document.addEventListener("visibilitychange", act, first);
    window.addEventListener("popstate", act, first);
    return () => {
      document.removeEventListener("click", act, first);
      document.removeEventListener("visibilitychange", act, first);
      window.removeEventListener("popstate", act, first);
    };
  }, [act]);
}
