import { useLayoutEffect, useRef, useState } from "react";
import { askForLayout } from "./layout";
import { bound, ownKeys } from "./ownKeys";
import { showActions } from "./page";
import { type Action, actionFor } from "./registry";

/**
 * Runs the page's actions from the keyboard, by the keys that the person gave them; while a dialog is open, its own keys
 * alone act. Before the page is painted: who sees a question can answer it.
 */
export function useKeyboard(actions: readonly Action[]): void {
  const [owner] = useState(() => Symbol("screen"));
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
    showActions(owner, actions);
  }, [owner, actions]);
  useLayoutEffect(() => () => showActions(owner, null), [owner]);
  useLayoutEffect(() => {
    askForLayout();
    const onKeyDown = (event: KeyboardEvent) => {
      if (document.querySelector("[role=dialog]")) return;
      const action = actionFor(event, bound(latest.current, ownKeys()));
      if (!action) return;
      event.preventDefault();
      action.run();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
