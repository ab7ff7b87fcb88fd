import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Factoid } from "../../../api/factoids";
import { useAnnounce } from "../../../components/Announcer";
import { uuid } from "../../../outbox/uuid";
import type { Commands } from "./actions";
import { deleteFactoid, newFactoid, restAbsent, sentencesOf, toggleAbsent, toggleLink } from "./model/steps";
import {
  type Answered,
  answeredOf,
  answerIn,
  atomicityOf,
  type Filter,
  filtered,
  type Mode,
  marksOf,
} from "./model/views";
import type { Work } from "./useWork";

export type Overlay = "keys" | "split" | "merge" | null;
export type Bench = ReturnType<typeof useBench>;

/** Of the sentence on the page, for the focus. */
export const sentenceId = (id: string) => `sentence-${id}`;
export const rowId = (key: string) => `factoid-${key}`;

/** What the bench of a definition and of an annotation share: where one is, what is shown, and what the keys do. */
export function useBench(work: Work, mode: Mode) {
  const { list, texts, state, dispatch, active, perform } = work;
  const announce = useAnnounce();
  const refs = useRefs();
  const [filter, setFilter] = useState<Filter>("all");
  const [sought, setSought] = useState("");
  const [overlay, setOverlay] = useState<Overlay>(null);
  const [isSideBySide, setSideBySide] = useState(false);
  const { factoids } = list;
  const place = (state.sentence && texts.textOf.get(state.sentence)) || 0;
  const text = texts.all[place] ?? null;
  const marks = useMemo(() => marksOf(texts, factoids), [texts, factoids]);
  const atomicity = useMemo(() => atomicityOf(texts, factoids), [texts, factoids]);
  const answered = useMemo(() => answeredOf(texts, factoids), [texts, factoids]);
  const shown = useMemo(
    () => filtered(texts, factoids, filter, sought, place, atomicity),
    [texts, factoids, filter, sought, place, atomicity],
  );

  const goTo = useCallback(
    (sentence: string) => {
      flushSync(() => dispatch({ kind: "at", sentence }));
      focusSentence(sentence);
    },
    [dispatch],
  );
  const choose = useCallback((key: string) => dispatch({ kind: "active", key }), [dispatch]);
  const toHand = (factoid: Factoid) => {
    flushSync(() => choose(factoid.key));
    document.getElementById(rowId(factoid.key))?.scrollIntoView?.({ block: "nearest" });
    const said = mode === "annotate" ? `, ${ANSWERED[answerIn(texts, factoid, place)]}` : "";
    announce(`${factoid.id}${said}: ${factoid.description || "no description"}`);
  };
  const again = (act: () => void) => {
    flushSync(act);
    document.querySelector(".factoid-row.active")?.scrollIntoView?.({ block: "nearest" });
  };
  const back = () => state.sentence && focusSentence(state.sentence);
  /** The one at hand comes last, unless it was answered just now. */
  const nextUndecided = (answeredNow: string | null = null) => {
    const from = factoids.findIndex(({ key }) => key === state.active);
    const ring = [...factoids.slice(from + 1), ...factoids.slice(0, from + 1)];
    const found = ring.find(
      (each) => each.key !== answeredNow && answerIn(texts, each, place) === "undecided",
    );
    if (found) toHand(found);
    else announce(`Every factoid is answered in ${text?.id}.`);
  };

  const commands: Commands = {
    sentence: (by) => {
      const at = (state.sentence && texts.placeOf.get(state.sentence)) || 0;
      const next = texts.order[at + by];
      if (next) goTo(next);
    },
    text: (by) => {
      const next = texts.all[place + by]?.sentences[0];
      if (next) goTo(next.id);
    },
    factoid: (by) => {
      const at = shown.findIndex(({ key }) => key === state.active);
      const next = at === -1 ? (by === 1 ? shown[0] : shown.at(-1)) : shown[at + by];
      if (next) toHand(next);
    },
    undecided: () => nextUndecided(),
    create: () => {
      const words = selectedWords();
      const sentence = words?.sentence ?? state.sentence;
      if (!sentence) return;
      const key = uuid();
      flushSync(() => {
        dispatch({ kind: "at", sentence });
        // A new factoid is in view, whatever was sought.
        setFilter("all");
        setSought("");
        perform(newFactoid(list, key, [sentence], words?.text ?? ""), key);
      });
      document.getElementById(rowId(key))?.scrollIntoView?.({ block: "nearest" });
      focusBox(refs.description.current);
    },
    describe: () => focusBox(refs.description.current),
    link: () => {
      if (active && state.sentence && text) perform(toggleLink(active, state.sentence, text.id));
    },
    absent: () => {
      if (!active || !text) return;
      const isTakenBack = active.absent.includes(text.id);
      flushSync(() => perform(toggleAbsent(active, text.id, sentencesOf(list, text.id))));
      if (!isTakenBack) nextUndecided(active.key);
    },
    split: () => setOverlay("split"),
    merge: () => setOverlay("merge"),
    renumber: () => focusBox(refs.id.current),
    remove: () => {
      if (!active) return;
      const at = shown.findIndex(({ key }) => key === active.key);
      perform(deleteFactoid(active), (shown[at + 1] ?? shown[at - 1])?.key ?? null);
    },
    letGo: () => dispatch({ kind: "active", key: null }),
    sideBySide: () => setSideBySide(!isSideBySide),
    undo: () => again(work.undo),
    redo: () => again(work.redo),
    findFactoid: () => focusBox(refs.findFactoid.current),
    findText: () => focusBox(refs.findText.current),
    keys: () => setOverlay("keys"),
  };
  return {
    ...{ mode, work, refs, place, text, marks, atomicity, answered, shown, commands, choose, back },
    ...{ filter, setFilter, sought, setSought, overlay, setOverlay, isSideBySide },
    goTo,
    /** All factoids that are undecided in this text. */
    undecidedHere: () => factoids.filter((each) => answerIn(texts, each, place) === "undecided"),
    restIsAbsent: (rest: readonly Factoid[]) => {
      if (text) perform(restAbsent(rest, text.id));
    },
    toHand,
  };
}

export const ANSWERED: Record<Answered, string> = {
  here: "here",
  absent: "not here",
  undecided: "undecided",
};

function useRefs() {
  return {
    description: useRef<HTMLTextAreaElement>(null),
    id: useRef<HTMLInputElement>(null),
    findFactoid: useRef<HTMLInputElement>(null),
    findText: useRef<HTMLInputElement>(null),
  };
}

export function focusSentence(id: string): void {
  const element = document.getElementById(sentenceId(id));
  element?.focus({ preventScroll: true });
  element?.scrollIntoView?.({ block: "nearest" });
}

function focusBox(box: HTMLInputElement | HTMLTextAreaElement | null): void {
  box?.focus();
  box?.select();
}

/** Words that are selected within one sentence. */
function selectedWords(): { sentence: string; text: string } | null {
  const selection = document.getSelection();
  const words = selection?.toString().trim().replace(/\s+/g, " ");
  if (!selection || !words) return null;
  const at = [selection.anchorNode, selection.focusNode].map((node) =>
    (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>("[data-sentence]"),
  );
  const [from, to] = at;
  const sentence = from?.dataset.sentence;
  return sentence && from === to ? { sentence, text: words } : null;
}

/** Once, when the page is there: the keys act on the sentence at hand. */
export function useFirstFocus(sentence: string | null): void {
  const [first] = useState(sentence);
  useLayoutEffect(() => {
    if (first) focusSentence(first);
  }, [first]);
}
