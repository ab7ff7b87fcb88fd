import { useEffect, useRef } from "react";
import type { KeptDrafts } from "./drafts";

/** What another tab of this browser did to an unsaved text: it holds another one now, or stored or dropped it. */
export type Elsewhere = "changed" | "gone";

/**
 * Tells a screen what another tab did to the text that it shows, for it to show what is kept. So all tabs show one text,
 * and none holds words that another replaces.
 */
export function useElsewhere<Draft>(
  drafts: KeptDrafts<Draft>,
  name: string,
  heard: (what: Elsewhere) => void,
): void {
  const latest = useRef(heard);
  useEffect(() => {
    latest.current = heard;
  });
  useEffect(
    () => drafts.watch(name, () => latest.current(drafts.find(name) ? "changed" : "gone")),
    [drafts, name],
  );
}
