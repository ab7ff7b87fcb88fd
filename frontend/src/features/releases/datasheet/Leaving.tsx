import { useEffect, useState } from "react";
import type { Blocker } from "react-router";
import { LeaveDialog, useLeaveBlocker } from "../../../kept/leaving";
import { leaveWords } from "./copy";
import type { SheetAutosave, Unsaved } from "./sheetAutosave";
import { useUnsaved } from "./useAutosave";

/** A save that takes no longer than this is waited for without a word. */
const PATIENCE_MS = 600;

/** Leaving waits until everything is saved, and asks where that cannot be had. */
export function Leaving({ sheetAutosave }: { sheetAutosave: SheetAutosave }) {
  const unsaved = useUnsaved(sheetAutosave);
  const blocker = useLeaveBlocker(() => sheetAutosave.unsaved.all > 0, sheetAutosave.flush);
  const isBlocked = blocker.state === "blocked";
  useEffect(() => {
    if (isBlocked) sheetAutosave.flush();
  }, [isBlocked, sheetAutosave]);
  useEffect(() => {
    if (blocker.state === "blocked" && unsaved.all === 0) blocker.proceed();
  }, [blocker, unsaved.all]);
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
    <LeaveDialog title="Leave with answers not saved?" blocker={blocker}>
      <p>{leaveWords(unsaved)}</p>
    </LeaveDialog>
  );
}
