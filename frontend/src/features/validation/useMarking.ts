import { type RefObject, useRef } from "react";
import { useAnnounce } from "../../components/Announcer";
import type { Action } from "../../keyboard/registry";
import { spanActions } from "../label/spans/actions";
import { type SpanActs, spanActs } from "../label/spans/acts";
import { type SpanKeys, spanKeys } from "../label/spans/model/spanKeys";
import { type CommentFocus, useCommentFocus } from "../label/spans/parts/useCommentFocus";
import type { SpanTextHandle } from "../label/spans/parts/useTextSelection";
import type { SpanEditor } from "../label/spans/useSpanEditor";

/** A text that is marked by key and mouse. */
export interface Marking {
  editor: SpanEditor;
  acts: SpanActs;
  keys: SpanKeys;
  actions: Action[];
  view: RefObject<SpanTextHandle | null>;
  comment: CommentFocus;
}

export function useMarking(editor: SpanEditor): Marking {
  const announce = useAnnounce();
  const view = useRef<SpanTextHandle>(null);
  const comment = useCommentFocus();
  const acts = spanActs({ editor, view, announce, focusComment: comment.enter });
  const keys = spanKeys(editor.layer);
  return { editor, acts, keys, view, comment, actions: spanActions(editor, acts, keys) };
}
