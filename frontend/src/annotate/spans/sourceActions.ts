import { type Action, action } from "../../keyboard/registry";
import { shifted } from "./model/spanKeys";
import type { EditorSpan } from "./model/types";
import type { Sources } from "./useSources";

/** `toggleKey` shows and hides the sources; none where the item has none. */
export function sourceActions(
  sources: Sources,
  toggleKey: string | null,
  selectedSpan: EditorSpan | null,
): Action[] {
  if (sources.names.length === 0) return [];
  const own = (
    id: string,
    label: string,
    key: string | null,
    run: () => void,
    isEnabled = true,
    when?: string,
  ) => action(`source-${id}`, label, "Sources", key, isEnabled, run, when);
  return [
    own("toggle", "Show or hide the sources", toggleKey, sources.toggle),
    own("search", "Search in the source", "/", sources.search),
    own(
      "own",
      "Show the source of the span in hand",
      shifted(toggleKey),
      () => selectedSpan?.source && sources.show(selectedSpan.source),
      Boolean(selectedSpan?.source),
      "with a span in hand that means one",
    ),
  ];
}
