import { useMemo, useRef, useState } from "react";
import { useMe } from "../session/session";
import { type Kept, KeptDrafts } from "./drafts";
import { type Elsewhere, useElsewhere } from "./useElsewhere";

/** One form's value that outlives the page until it is saved or discarded. */
export interface KeptForm<T> {
  value: T;
  set: (value: T | ((before: T) => T)) => void;
  /** Something differs from what the form began with. */
  isChanged: boolean;
  /** The version of the object beside which it was begun. */
  base: string;
  /** What was found in this browser when the form was opened; null from the moment it is saved or discarded. */
  restored: Kept<T> | null;
  /** Another tab of this browser went on with it, and its text stands here; or it was saved or discarded there. */
  elsewhere: Elsewhere | null;
  /** False: the browser could not keep the last change, which a reload would lose. */
  isKept: boolean;
  /** Puts back what the form began with. */
  discard: () => void;
  /** The server holds `value` as `base`: the form begins with it now. What was typed since stays, and is kept beside it. */
  settled: (value: T, base: string) => void;
  /** The server has it: nothing is to be restored any more. What is shown stays. */
  saved: () => void;
}

/**
 * Keeps a form's value in this browser with every change. `name` says which form of which project and object it is;
 * `base` is the version of the object beside which it is typed. `initial` counts when the form is opened.
 * Tabs that have the same form open show one text, that of the last change: so none of them holds what another replaces.
 */
export function useKept<T>(name: string, initial: T, base = ""): KeptForm<T> {
  const me = useMe();
  const drafts = useMemo(() => new KeptDrafts<T>(me.id, "form"), [me.id]);
  const begun = useRef(initial);
  const [restored, setRestored] = useState(() => drafts.find(name));
  const [value, setValue] = useState(() => (restored ? completed(initial, restored.draft) : initial));
  const [from, setFrom] = useState(restored?.base ?? base);
  const latest = useRef(value);
  const [isKept, setKept] = useState(true);
  const [elsewhere, setElsewhere] = useState<Elsewhere | null>(null);
  const isChanged = JSON.stringify(value) !== JSON.stringify(begun.current);
  const forget = () => {
    drafts.drop(name);
    setRestored(null);
    setFrom(base);
    setKept(true);
    setElsewhere(null);
  };
  const show = (next: T) => {
    latest.current = next;
    setValue(next);
  };
  const follow = () => {
    const kept = drafts.find(name);
    const next = kept && completed(initial, kept.draft);
    if (JSON.stringify(next ?? begun.current) === JSON.stringify(latest.current)) return;
    setElsewhere(next === null ? "gone" : "changed");
    if (next === null) return setRestored(null);
    setFrom(kept?.base ?? base);
    show(next);
  };
  useElsewhere(drafts, name, follow);
  return {
    ...{ value, isChanged, restored, elsewhere, isKept, base: from },
    set: (change) => {
      const next = typeof change === "function" ? (change as (before: T) => T)(latest.current) : change;
      show(next);
      setElsewhere(null);
      if (JSON.stringify(next) === JSON.stringify(begun.current)) forget();
      else setKept(drafts.keep(name, next, from));
    },
    discard: () => {
      forget();
      show(begun.current);
    },
    settled: (held, as) => {
      begun.current = held;
      if (JSON.stringify(latest.current) === JSON.stringify(held)) forget();
      else setKept(drafts.keep(name, latest.current, as));
      setFrom(as);
    },
    saved: forget,
  };
}

/** A form may have got a field since its value was kept. */
function completed<T>(initial: T, kept: T): T {
  const isRecord = typeof initial === "object" && initial !== null && !Array.isArray(initial);
  return isRecord ? { ...initial, ...kept } : kept;
}
