import { useEffect, useSyncExternalStore } from "react";
import { useBlocker } from "react-router";
import { Dialog } from "../components/Dialog";

/** Why leaving would lose something, by who said so. One list for the page, since a router takes one question only. */
let reasons: ReadonlyMap<symbol, string> = new Map();
const watchers = new Set<() => void>();

function change(next: ReadonlyMap<symbol, string>): void {
  reasons = next;
  for (const watcher of watchers) watcher();
}

/** While `words` say what would be lost, leaving the page asks first. Only for what cannot be kept. */
export function useAskBeforeLeaving(words: string | null): void {
  useEffect(() => {
    if (words === null) return;
    const key = Symbol(words);
    change(new Map([...reasons, [key, words]]));
    return () => change(new Map([...reasons].filter(([each]) => each !== key)));
  }, [words]);
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
  return lost.size > 0 ? <Guard words={[...new Set(lost.values())]} /> : null;
}

function Guard({ words }: { words: string[] }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname &&
      // Who is signed out is asked for nothing: the sign-in cannot wait.
      nextLocation.pathname !== "/sign-in",
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, []);
  if (blocker.state !== "blocked") return null;
  return (
    <Dialog title="Leave this page?" onClose={() => blocker.reset()}>
      {words.map((each) => (
        <p key={each}>{each}</p>
      ))}
      <p>It is lost when you leave.</p>
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
