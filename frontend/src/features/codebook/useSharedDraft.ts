import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { type CodebookDraft, codebookApi, draftQuery } from "../../api/codebooks";
import { isApiError } from "../../api/errors";
import type { KeptForm } from "../../kept/useKept";

/** After so long without a key, what was typed goes to the server; after a failure, it is tried again later. */
const PAUSE_MS = 1_000;
const RETRY_MS = 10_000;

export interface SharedDraft {
  /** What the server holds. */
  draft: CodebookDraft;
  /** Somebody changed or ended it while this page holds a text of its own: nothing is sent until a person chooses. */
  isStale: boolean;
  isSending: boolean;
  isAway: boolean;
  /** What stood here before somebody's change was taken over. */
  replaced: string | null;
  /** Sends what was typed, and gives the revision that the server then has. */
  flush: () => Promise<number>;
  keepMine: () => void;
  takeTheirs: () => void;
  bringBack: () => void;
  /** Ends the draft for everybody, and shows `text`. */
  discard: (text: string) => Promise<void>;
}

/** The versions and the draft's revision that a text was begun beside, such as "3.2.7". */
export function baseWith(versions: string, { text, base, revision }: CodebookDraft): string {
  return `${text !== null && base ? base : versions}.${revision}`;
}

/**
 * Keeps the text of a form on the server too, where all admins of the project go on with it. What is typed is in this
 * browser at once (`form`), and on the server after a pause. `begun` is what the server held when the form was opened.
 */
export function useSharedDraft(projectId: string, form: KeptForm<string>, begun: CodebookDraft): SharedDraft {
  const client = useQueryClient();
  const query = draftQuery(projectId);
  const draft = useQuery({ ...query, refetchInterval: RETRY_MS }).data ?? begun;
  const versions = form.base.split(".").slice(0, 2).join(".");
  const known = useRef(Number(form.base.split(".")[2] ?? 0));
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const [replaced, setReplaced] = useState<string | null>(null);
  const isNew = draft.revision > known.current && draft.text !== form.value;
  const isStale = isNew && form.isChanged;
  /** The server holds `text` under this revision. */
  const settle = (text: string, held: CodebookDraft) => {
    known.current = held.revision;
    client.setQueryData(query.queryKey, held);
    form.settled(text, baseWith(versions, held));
  };
  const keep = async (text: string) => {
    // One after the other: a second one would be stale beside the first.
    const before = last.current.catch(() => undefined);
    const sent = before.then(() =>
      codebookApi.keepDraft(projectId, { text, base: versions, base_revision: known.current }),
    );
    last.current = sent;
    const held = await sent;
    settle(text, held);
    return held;
  };
  const send = useMutation({
    mutationFn: keep,
    onError: (error) => {
      if (isApiError(error, 409)) void client.invalidateQueries({ queryKey: query.queryKey });
    },
  });
  const show = (text: string, held: CodebookDraft) => {
    form.set(text);
    settle(text, held);
  };
  const { mutate, isPending, isError } = send;
  useEffect(() => {
    if (!form.isChanged || isStale || isPending) return;
    const timer = setTimeout(() => mutate(form.value), isError ? RETRY_MS : PAUSE_MS);
    return () => clearTimeout(timer);
  }, [form.value, form.isChanged, isStale, isPending, isError, mutate]);
  // Somebody else's change takes the place of a text that the server holds, and that nobody is typing here.
  useEffect(() => {
    if (!isNew || isStale) return;
    if (draft.text !== null) setReplaced(form.value);
    show(draft.text ?? form.value, draft);
  });
  return {
    ...{ draft, isStale, replaced, isSending: isPending, isAway: isError && form.isChanged && !isStale },
    flush: async () => (form.isChanged ? (await send.mutateAsync(form.value)).revision : known.current),
    keepMine: () => {
      settle(draft.text ?? "", draft);
      mutate(form.value);
    },
    takeTheirs: () => {
      send.reset();
      setReplaced(form.value);
      if (draft.text !== null) show(draft.text, draft);
    },
    bringBack: () => {
      if (replaced !== null) form.set(replaced);
      setReplaced(null);
    },
    discard: async (text) => {
      await last.current.catch(() => undefined);
      const held = draft.text === null ? draft : await codebookApi.discardDraft(projectId, known.current);
      setReplaced(null);
      show(text, held);
    },
  };
}
