import { type RefObject, useRef } from "react";
import { useAnnounce } from "../../components/Announcer";
import { useOwnKeys } from "../../keyboard/ownKeys";
import type { Action } from "../../keyboard/registry";
import { spanActions } from "./actions";
import { type SpanKeys, spanKeys } from "./model/spanKeys";
import { type CardFocus, useCardFocus } from "./parts/useCardFocus";
import type { SpanTextHandle } from "./parts/useTextSelection";
import { type SpanActs, spanActs } from "./spanCommands";
import type { SpanEditor } from "./useSpanEditor";

/** A text that is marked by key and mouse. */
export interface Marking {
  editor: SpanEditor;
  acts: SpanActs;
  keys: SpanKeys;
  actions: Action[];
  view: RefObject<SpanTextHandle | null>;
  focus: CardFocus;
}

export function useMarking(editor: SpanEditor): Marking {
  const announce = useAnnounce();
  const view = useRef<SpanTextHandle>(null);
  const focus = useCardFocus();
  const acts = spanActs({ editor, view, announce, focus });
  const keys = spanKeys(editor.layer, useOwnKeys());
  return { editor, acts, keys, view, focus, actions: spanActions(editor, acts, keys) };
}
