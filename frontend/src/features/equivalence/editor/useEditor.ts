import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useAnnounce } from "../../../components/Announcer";
import { useTouch } from "../../../components/useTouch";
import { uuid } from "../../../outbox/uuid";
import { useProject } from "../../../session/project";
import { counted } from "../../../text/format";
import { stringsQuery } from "../api";
import { REVIEW_WORDS } from "../copy";
import { type Alike, acceptance } from "../model/alike";
import { classesOf, classWords, type Edit, movedFrom, stringsWords } from "../model/edits";
import {
  type ClassFilter,
  filtered,
  foundStrings,
  nextAfter,
  type Shown,
  shownClasses,
  type Which,
} from "../model/found";
import type { Decision, Evaluation, Overview } from "../types";
import type { Commands, Enabled } from "./actions";
import { useSaver } from "./useSaver";
import { useSelection } from "./useSelection";

export type Overlay = "keys" | "rename" | "merge" | "put-into" | "return" | "settings" | null;
export type Detail = "places" | "words" | "vectors";

const DETAILS: readonly Detail[] = ["places", "words", "vectors"];
const NO_STRINGS: readonly Shown[] = [];

export const stringId = (text: string) => `string-${encodeURIComponent(text)}`;
export const classId = (key: string) => `class-${key}`;

/** Where one is in an evaluation, what is shown, and what keys, buttons and drags do. */
export function useEditor(evaluation: Evaluation, overview: Overview) {
  const { id: projectId } = useProject();
  const announce = useAnnounce();
  const isTouch = useTouch();
  const saving = useSaver(projectId, evaluation);
  const { now } = saving;
  const { content, reviews } = now;
  const strings = useQuery(stringsQuery(projectId, evaluation.id, evaluation.part));
  const [which, setWhich] = useState<Which>("all");
  const [sought, setSought] = useState("");
  const [classFilter, setClassFilter] = useState<ClassFilter>("all");
  const [classKey, setClassKey] = useState<string | null>(null);
  const [overlay, setOverlay] = useState<Overlay>(null);
  const [detail, setDetail] = useState<Detail>("places");
  const [alike, setAlike] = useState<readonly Alike[]>([]);
  const refs = { list: useRef<HTMLDivElement>(null), search: useRef<HTMLInputElement>(null) };

  const all = useMemo(
    () => (strings.data ? foundStrings(strings.data, content) : NO_STRINGS),
    [strings.data, content],
  );
  const counts = useMemo(() => new Map(all.map(({ text, n }) => [text, n])), [all]);
  const shown = useMemo(() => filtered(all, { which, sought, classKey }), [all, which, sought, classKey]);
  const selection = useSelection(shown, isTouch);
  const { targets, atHand } = selection;
  const places = useMemo(() => classesOf(content), [content]);
  const atHandClass = content.classes.find(({ key }) => key === classKey) ?? null;
  const stateOf = (key: string) => reviews.get(key)?.state ?? "none";
  const isFound = (text: string) => strings.data === undefined || counts.has(text);
  const classes = shownClasses(content, classFilter, { stateOf, isFound });
  const mayEdit = overview.can_group;

  /** What had the focus may be gone: then the list has it, so that the next key acts. */
  const again = (act: () => void) => {
    flushSync(act);
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body) refs.list.current?.focus();
  };
  const inSight = (id: string) => document.getElementById(id)?.scrollIntoView?.({ block: "nearest" });
  const perform = (edit: Edit | null) => {
    if (!edit || !mayEdit) return;
    again(() => announce(saving.edit(edit)));
  };
  /** Makes an edit of strings; the next string is at hand then. */
  const deal = (edit: Edit | null, texts: readonly string[]) => {
    if (!edit || !mayEdit) return;
    const next = nextAfter(shown, new Set(texts));
    again(() => {
      announce(saving.edit(edit));
      selection.clear();
      if (next !== null) selection.goTo(next);
    });
    if (next !== null) inSight(stringId(next));
  };
  const put = (texts: readonly string[], to: string) => {
    const moved = movedFrom(content, texts).filter(({ from }) => from !== to);
    if (moved.length > 0) deal({ kind: "put", moved, to }, texts);
  };
  const takeOut = (texts: readonly string[]) => {
    const moved = movedFrom(content, texts).filter(({ from }) => from !== null);
    if (moved.length > 0) deal({ kind: "take-out", moved }, texts);
  };
  const create = (texts: readonly string[], kind: "create" | "split" = "create") => {
    const key = uuid();
    deal({ kind, moved: movedFrom(content, texts), key, name: "" }, texts);
    setClassKey(key);
    setClassFilter("all");
    requestAnimationFrame(() => inSight(classId(key)));
  };
  const goClass = (key: string) => {
    flushSync(() => setClassKey(key));
    inSight(classId(key));
  };
  const review = (decision: Decision, note = "") => {
    if (!atHandClass || !overview.can_validate) return;
    const title = classWords(content, atHandClass.key);
    const done = decision === "taken_back" ? "not reviewed any more" : REVIEW_WORDS[decision];
    again(() => {
      saving.review(atHandClass.key, decision, note, `Review of ${title}: ${done}`);
      announce(`${title} is ${done}.`);
    });
  };
  const accept = (found: Alike | undefined) => {
    if (!found || !mayEdit) return;
    perform(acceptance(content, found, uuid()));
  };
  const from = new Set(targets.map((text) => places.get(text) ?? null));
  const [only] = from;
  const wholeClass = content.classes.find(({ key }) => key === only)?.members.length ?? 0;
  const enabled: Enabled = {
    ...{ mayEdit, mayReview: overview.can_validate, n_targets: targets.length },
    ...{ n_classes: content.classes.length, hasClass: atHandClass !== null, hasAlike: alike.length > 0 },
    isInClass: targets.some((text) => places.has(text)),
    maySplit: from.size === 1 && only !== null && targets.length < wholeClass,
    isReviewed: atHandClass !== null && stateOf(atHandClass.key) !== "none",
    ...{ mayUndo: now.mayUndo, mayRedo: now.mayRedo },
  };
  const go = (text: string | null) => {
    if (text !== null) inSight(stringId(text));
  };
  const step = (act: () => void, words: string) => {
    again(act);
    announce(words);
  };
  const commands: Commands = {
    move: (by) => {
      flushSync(() => go(selection.move(by)));
      refs.list.current?.focus({ preventScroll: true });
    },
    extend: (by) => flushSync(() => go(selection.extend(by))),
    toggle: () => selection.toggle(),
    selectShown: () => {
      selection.all();
      announce(`${counted(shown.length, "string")} selected.`);
    },
    letGo: () => selection.clear(),
    put: (number) => {
      const to = content.classes[number - 1];
      if (to) put(targets, to.key);
    },
    putInto: () => setOverlay("put-into"),
    create: () => create(targets),
    split: () => create(targets, "split"),
    takeOut: () => takeOut(targets),
    goClass: (by) => {
      const place = classes.findIndex(({ key }) => key === classKey);
      const next = place === -1 ? classes.at(by === 1 ? 0 : -1) : classes[place + by];
      if (!next) return;
      goClass(next.key);
      announce(`${classWords(content, next.key)}, ${counted(next.members.length, "string")}`);
    },
    rename: () => setOverlay("rename"),
    merge: () => setOverlay("merge"),
    accept: () => accept(alike[0]),
    detail: () => setDetail(DETAILS[(DETAILS.indexOf(detail) + 1) % DETAILS.length] ?? "places"),
    validate: () => review("validated"),
    sendBack: () => setOverlay("return"),
    takeBack: () => review("taken_back"),
    undo: () => step(saving.undo, "Undone."),
    redo: () => step(saving.redo, "Made again."),
    find: () => {
      refs.search.current?.focus();
      refs.search.current?.select();
    },
    keys: () => setOverlay("keys"),
  };
  return {
    ...{
      projectId,
      evaluation: now.evaluation,
      overview,
      saving,
      content,
      reviews,
      strings,
      all,
      counts,
      shown,
    },
    ...{
      selection,
      targets,
      atHand,
      places,
      classes,
      atHandClass,
      refs,
      isTouch,
      mayEdit,
      enabled,
      commands,
    },
    ...{
      which,
      setWhich,
      sought,
      setSought,
      classFilter,
      setClassFilter,
      overlay,
      setOverlay,
      detail,
      setDetail,
    },
    ...{ alike, setAlike, perform, put, takeOut, create, goClass, review, accept, stateOf, isFound },
    /** Closes a dialog; the list has the focus where nothing else has it. */
    close: () => {
      setOverlay(null);
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) refs.list.current?.focus();
      });
    },
    /** The strings that a drag takes along: all that are selected, where it begins at one of them. */
    dragged: (text: string) => (selection.selected.has(text) ? [...selection.selected] : [text]),
    targetWords: stringsWords(targets),
  };
}

export type Editor = ReturnType<typeof useEditor>;
