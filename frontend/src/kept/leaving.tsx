import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { type Blocker, useBlocker } from "react-router";
import { Dialog } from "../components/Dialog";

interface Reason {
  words: string;
  /** This browser has it, and goes on with it when the person comes back. */
  isKept: boolean;
}

/** Why leaving would lose something, by who said so. One list for the page, since a router takes one question only. */
let reasons: ReadonlyMap<symbol, Reason> = new Map();
const watchers = new Set<() => void>();

function change(next: ReadonlyMap<symbol, Reason>): void {
  reasons = next;
  for (const watcher of watchers) watcher();
}

/** While `words` say what would be lost or, with `isKept`, would stay unsent, leaving the page asks first. */
export function useAskBeforeLeaving(words: string | null, isKept = false): void {
  useEffect(() => {
    if (words === null) return;
    const key = Symbol(words);
    change(new Map([...reasons, [key, { words, isKept }]]));
    return () => change(new Map([...reasons].filter(([each]) => each !== key)));
  }, [words, isKept]);
}

/** Stands once on the page, around all screens. */
export function LeavingGuard() {
  const lost = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => reasons,
  );
  return lost.size > 0 ? <Guard reasons={[...lost.values()]} /> : null;
}

function Guard({ reasons }: { reasons: readonly Reason[] }) {
  const blocker = useLeaveBlocker(() => true);
  if (blocker.state !== "blocked") return null;
  return (
    <LeaveDialog title="Leave this page?" blocker={blocker}>
      {[...new Set(reasons.map(({ words }) => words))].map((each) => (
        <p key={each}>{each}</p>
      ))}
      {reasons.some(({ isKept }) => !isKept) && <p>It is lost when you leave.</p>}
    </LeaveDialog>
  );
}

/** Stops whoever leaves or closes the page while `isUnsaved`; `onClose` runs before the browser asks. */
export function useLeaveBlocker(isUnsaved: () => boolean, onClose?: () => void): Blocker {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved() &&
      currentLocation.pathname !== nextLocation.pathname &&
      // Who is signed out is asked for nothing: the sign-in cannot wait.
      nextLocation.pathname !== "/sign-in",
  );
  const latest = useRef({ isUnsaved, onClose });
  useEffect(() => {
    latest.current = { isUnsaved, onClose };
  });
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (!latest.current.isUnsaved()) return;
      latest.current.onClose?.();
      event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, []);
  return blocker;
}

interface LeaveDialogProps {
  title: string;
  blocker: Extract<Blocker, { state: "blocked" }>;
  children: ReactNode;
}

/** Asks whoever was stopped whether to stay. */
export function LeaveDialog({ title, blocker, children }: LeaveDialogProps) {
  return (
    <Dialog title={title} onClose={() => blocker.reset()}>
      {children}
      <div className="row">
        <button type="button" className="button primary" data-first-focus onClick={() => blocker.reset()}>
          Stay here
        </button>
        <button type="button" className="button" onClick={() => blocker.proceed()}>
          Leave all the same
        </button>
      </div>
    </Dialog>
  );
}
