import { type RefObject, useRef } from "react";
import { spanActions } from "../../annotate/spans/actions";
import { type SpanKeys, spanKeys } from "../../annotate/spans/model/spanKeys";
import { type CardFocus, useCardFocus } from "../../annotate/spans/parts/useCardFocus";
import type { SpanTextHandle } from "../../annotate/spans/parts/useTextSelection";
import { type SpanActs, spanActs } from "../../annotate/spans/spanCommands";
import type { SpanEditor } from "../../annotate/spans/useSpanEditor";
import { useAnnounce } from "../../components/Announcer";
import { useOwnKeys } from "../../keyboard/ownKeys";
import type { Action } from "../../keyboard/registry";

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
