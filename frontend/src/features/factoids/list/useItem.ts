import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { FactoidList, ListItem, SetText } from "../../../api/factoids";
import { useAnnounce } from "../../../components/Announcer";
import { useKept } from "../../../kept/useKept";
import type { ItemCommands } from "./actions";
import { answerWords } from "./model/copy";
import { decideItem, sentencesOf } from "./model/steps";
import { focusSentence } from "./useBench";
import type { Work } from "./useWork";

/** What is chosen on an item and not decided. */
interface Draft {
  /** Those of the item's text in which the factoid is. */
  sentences: string[];
  note: string;
}

export interface ItemProps {
  work: Work;
  item: ListItem;
  onItem: (item: ListItem) => void;
}

export type ItemState = ReturnType<typeof useItem>;

/** One item of a second look or a consensus. */
export function useItem({ work, item, onItem }: ItemProps) {
  const { list, texts, state, dispatch, perform } = work;
  const announce = useAnnounce();
  const [keysShown, setKeysShown] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const noteRef = useRef<HTMLTextAreaElement>(null);
  const place = list.items.findIndex(({ id }) => id === item.id);
  const factoid = list.factoids.find(({ key }) => key === item.key) ?? null;
  const text = texts.byId.get(item.text) ?? null;
  const linked = useMemo(() => linkedIn(list, item), [list, item]);
  const draft = useKept<Draft>(`factoid-item.${list.id}.${item.id}`, { sentences: linked, note: item.note });
  const others = [...list.items.slice(place + 1), ...list.items.slice(0, place)];
  const nextOpen = others.find(isOpen) ?? null;
  useFirst(work, item, () => announce(`${factoid?.id} in ${item.text}? ${factoid?.description ?? ""}`));

  const commands: ItemCommands = {
    answer: (isThere) => {
      const { note } = draft.value;
      const sentences = draft.value.sentences.length > 0 ? draft.value.sentences : namedIn(text, item);
      if (isThere && sentences.length === 0) {
        setProblem("Choose the sentence in which it is: step to it, and press the key or the button.");
        return;
      }
      const answer = { is_there: isThere, note: note.trim() };
      if (!perform(decideItem(list, item, answer, isThere ? sentences : []))) return;
      draft.saved();
      announce(answerWords(item, isThere));
      if (nextOpen) onItem(nextOpen);
    },
    choose: () => {
      const { sentence } = state;
      if (!sentence || !sentencesOf(list, item.text).has(sentence)) return;
      setProblem(null);
      draft.set((before) => ({
        ...before,
        sentences: before.sentences.includes(sentence)
          ? before.sentences.filter((id) => id !== sentence)
          : [...before.sentences, sentence],
      }));
    },
    go: (by) => {
      const next = list.items[place + by];
      if (next) onItem(next);
    },
    nextOpen: () => nextOpen && onItem(nextOpen),
    note: () => noteRef.current?.focus(),
    sentence: (by) => {
      const at = text?.sentences.findIndex(({ id }) => id === state.sentence) ?? -1;
      const next = text?.sentences[at + by];
      if (!next) return;
      flushSync(() => dispatch({ kind: "at", sentence: next.id }));
      focusSentence(next.id);
    },
    undo: work.undo,
    redo: work.redo,
    keys: () => setKeysShown(true),
  };
  return {
    ...{ work, item, factoid, text, place, linked, draft, problem, noteRef, commands, onItem },
    ...{ hasNextOpen: nextOpen !== null, keysShown, hideKeys: () => setKeysShown(false) },
  };
}

/** An item begins with its first linked sentence at hand, or the first of its text. */
function useFirst({ list, texts, dispatch }: Work, item: ListItem, say: () => void): void {
  const [first] = useState(() => linkedIn(list, item)[0] ?? texts.byId.get(item.text)?.sentences[0]?.id);
  // biome-ignore lint/correctness/useExhaustiveDependencies(say): once for each item
  useLayoutEffect(() => {
    if (!first) return;
    dispatch({ kind: "at", sentence: first });
    focusSentence(first);
    say();
  }, [first, dispatch]);
}

export function linkedIn(list: FactoidList, item: ListItem): string[] {
  const inText = sentencesOf(list, item.text);
  const factoid = list.factoids.find(({ key }) => key === item.key);
  return factoid?.sentences.filter((id) => inText.has(id)) ?? [];
}

/** In the order of the text: what anybody named, where everyone's answers are shown. */
function namedIn(text: SetText | null, { answers }: ListItem): string[] {
  const named = new Set(answers.flatMap(({ sentences }) => sentences));
  return text?.sentences.flatMap(({ id }) => (named.has(id) ? [id] : [])) ?? [];
}

export function isOpen({ is_there }: ListItem): boolean {
  return is_there === null;
}
