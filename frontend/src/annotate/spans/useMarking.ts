import { type RefObject, useRef } from "react";
import { useAnnounce } from "../../components/Announcer";
import { useOwnKeys } from "../../keyboard/ownKeys";
import type { Action } from "../../keyboard/registry";
import { spanActions } from "./actions";
import { type SpanKeys, spanKeys } from "./model/spanKeys";
import { type CardFocus, useCardFocus } from "./parts/useCardFocus";
import type { SpanTextHandle } from "./parts/useTextSelection";
import { makeSpanCommands, type SpanCommands } from "./spanCommands";
import type { SpanEditor } from "./useSpanEditor";

/** A text that is marked by key and mouse. */
export interface Marking {
  editor: SpanEditor;
  spanCommands: SpanCommands;
  keys: SpanKeys;
  actions: Action[];
  view: RefObject<SpanTextHandle | null>;
  focus: CardFocus;
}

export function useMarking(editor: SpanEditor): Marking {
  const announce = useAnnounce();
  const view = useRef<SpanTextHandle>(null);
  const focus = useCardFocus();
  const spanCommands = makeSpanCommands({ editor, view, announce, focus });
  const keys = spanKeys(editor.layer, useOwnKeys());
  return { editor, spanCommands, keys, view, focus, actions: spanActions(editor, spanCommands, keys) };
}
