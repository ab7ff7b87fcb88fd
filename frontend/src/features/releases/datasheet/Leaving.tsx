import { useEffect, useState } from "react";
import { type Blocker, useBlocker } from "react-router";
import { Dialog } from "../../../components/Dialog";
import { leaveWords } from "./copy";
import type { Desk, Unsaved } from "./desk";
import { useUnsaved } from "./useDesk";

/** A save that takes no longer than this is waited for without a word. */
const PATIENCE_MS = 600;

/** Leaving waits until everything is saved, and asks where that cannot be had. */
export function Leaving({ desk }: { desk: Desk }) {
  const unsaved = useUnsaved(desk);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      desk.unsaved.all > 0 &&
      currentLocation.pathname !== nextLocation.pathname &&
      // Who is signed out can save nothing here: the texts wait in the browser for the next sign-in.
      nextLocation.pathname !== "/sign-in",
  );
  const isBlocked = blocker.state === "blocked";
  useEffect(() => {
    if (isBlocked) desk.flush();
  }, [isBlocked, desk]);
  useEffect(() => {
    if (blocker.state === "blocked" && unsaved.all === 0) blocker.proceed();
  }, [blocker, unsaved.all]);
  useEffect(() => {
    if (unsaved.all === 0) return;
    const warn = (event: BeforeUnloadEvent) => {
      desk.flush();
      event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [unsaved.all, desk]);
  return blocker.state === "blocked" && unsaved.all > 0 ? <Ask blocker={blocker} unsaved={unsaved} /> : null;
}

function Ask({ blocker, unsaved }: { blocker: Extract<Blocker, { state: "blocked" }>; unsaved: Unsaved }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const isStuck = unsaved.retrying + unsaved.refused + unsaved.stale > 0;
  if (!isLate && !isStuck) return null;
  return (
    <Dialog title="Leave with answers not saved?" onClose={() => blocker.reset()}>
      <p>{leaveWords(unsaved)}</p>
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
