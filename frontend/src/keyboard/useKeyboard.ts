import { useLayoutEffect, useRef } from "react";
import { type Action, actionFor } from "./registry";

/**
 * Runs the page's actions from the keyboard; while a dialog is open, its own keys alone act. Before the page is painted:
 * who sees a question can answer it.
 */
export function useKeyboard(actions: readonly Action[]): void {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  }, [actions]);
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (document.querySelector("dialog[open]")) return;
      const action = actionFor(event, latest.current);
      if (!action) return;
      event.preventDefault();
      action.run();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
