import {
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { CODEBOOK_KEY } from "../../../annotate/actions";
import { CodebookDialog } from "../../../annotate/CodebookDialog";
import { nameOf } from "../../../annotate/spans/model/categories";
import { Categories } from "../../../annotate/spans/parts/Categories";
import { EditableSpans } from "../../../annotate/spans/parts/EditableSpans";
import { EditableText } from "../../../annotate/spans/parts/EditableText";
import { missingWords } from "../../../annotate/spans/parts/Missing";
import { sourceActions } from "../../../annotate/spans/sourceActions";
import { type Marking, useMarking } from "../../../annotate/spans/useMarking";
import { useSpanEditor } from "../../../annotate/spans/useSpanEditor";
import { type Mark, marksOf, sentSpans } from "../../../api/marks";
import { useAnnounce } from "../../../components/Announcer";
import { Confirm } from "../../../components/Confirm";
import { HelpSheet } from "../../../components/HelpSheet";
import { Refusal } from "../../../components/Refusal";
import type { Action } from "../../../keyboard/registry";
import { useKeyboard } from "../../../keyboard/useKeyboard";
import { shortQuote } from "../../../text/quote";
import { TAKE_OVER_KEY } from "../actions";
import { layerOf } from "../api";
import type { EditDraft } from "../model/drafts";
import type { ItemBench } from "../useItemBench";
import { Act } from "./DecisionCard";
import { isSame } from "./SpanLines";

const KEYS = {
  store: "enter",
  stop: "x",
  codebook: CODEBOOK_KEY,
  keys: "?",
  takeOver: TAKE_OVER_KEY,
} as const;

type Overlay = "stop" | "codebook" | "keys" | null;

/** Spans of the validator's own, made from an annotation or from nothing. */
export function EditPanel({ bench, start }: { bench: ItemBench; start: EditDraft }) {
  const { page, commands, isBusy } = bench;
  const sources = useMemo(() => page.item.sources.map(({ id }) => id), [page.item.sources]);
  const editor = useSpanEditor(page.item.text, layerOf(page), start.marks, sources);
  const isChanged = start.isChanged || editor.state.past.length > 0;
  const marking = useMarking(editor);
  const [overlay, setOverlay] = useState<Overlay>(null);
  const [missing, setMissing] = useState<string | null>(null);
  useKept(bench, { annotation: start.annotation, marks: editor.spans, isChanged });
  const store = () => {
    setMissing(editor.faults.length > 0 ? missingWords(editor.faults) : null);
    if (editor.faults.length > 0) marking.spanCommands.goToMissing();
    else commands.store(sentSpans(editor.spans, editor.quote));
  };
  const stop = () => (isChanged ? setOverlay("stop") : commands.stopEditing());
  const actions = [
    ...editActions({
      store,
      stop,
      codebook: () => setOverlay("codebook"),
      keys: () => setOverlay("keys"),
      takeOver: pressTakeOver,
    }),
    ...marking.actions,
    ...sourceActions(bench.sources, bench.sourcesKey, editor.selectedSpan),
  ];
  useKeyboard(actions);
  useTakingOver(bench, marking);
  const panel = useArrival(marking);
  const close = () => setOverlay(null);
  return (
    <section className="card stack edit-panel" aria-label="Your edit" ref={panel}>
      <div className="card-head">
        <h2>{titleOf(bench, start)}</h2>
        <span className="mute small">Kept in this browser until you store or drop it.</span>
      </div>
      {bench.editElsewhere === "changed" && (
        <p className="notice" role="status">
          You changed this edit in another tab. What you made there is what you see here.
        </p>
      )}
      {bench.isEditAtRisk && (
        <p className="notice warn">
          This browser cannot keep the edit over a reload: store it before you leave the page.
        </p>
      )}
      <Workplace marking={marking} bench={bench}>
        {missing && editor.faults.length > 0 && <p className="notice warn">{missing}</p>}
        <Refusal error={bench.error} />
        <div className="edit-foot">
          <Act keyName={KEYS.store} isMain isOff={isBusy} onClick={store}>
            {isBusy ? "Storing" : "Store as aggregated annotation"}
          </Act>
          <Act keyName={KEYS.stop} isOff={isBusy} onClick={stop}>
            Drop the edit
          </Act>
          <Act keyName={KEYS.codebook} onClick={() => setOverlay("codebook")}>
            Codebook
          </Act>
          <Act keyName={KEYS.keys} onClick={() => setOverlay("keys")}>
            Keys
          </Act>
        </div>
      </Workplace>
      {overlay === "keys" && <HelpSheet actions={actions} onClose={close} />}
      {overlay === "codebook" && <CodebookDialog {...page.codebook} onClose={close} />}
      {overlay === "stop" && (
        <Confirm
          title="Drop the edit?"
          act="Drop it"
          danger
          busy={false}
          error={null}
          onConfirm={commands.stopEditing}
          onClose={close}
        >
          <p>Your changes are lost then. The annotations stay as they are.</p>
        </Confirm>
      )}
    </section>
  );
}

/** An edit begins in its text, with the panel at the window's top. */
function useArrival({ view }: Marking): RefObject<HTMLElement | null> {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.scrollIntoView?.({ block: "start" });
    view.current?.focus();
  }, [view]);
  return panel;
}

/** A span of a column is added to the edit, with its comment and source; one step of undo takes it out. */
function useTakingOver({ taker }: ItemBench, { editor }: Marking): void {
  const announce = useAnnounce();
  useLayoutEffect(() => {
    taker.current = (span) => {
      const isThere = editor.spans.some((each) => isSame(each, span));
      const words = `${nameOf(editor.layer, span.category)}: ${shortQuote(span.quote)}`;
      if (!isThere) editor.dispatch({ kind: "add", marks: marksOf([span]) });
      announce(isThere ? `Your edit has it already: ${words}` : `Taken over: ${words}`);
    };
    return () => {
      taker.current = null;
    };
  }, [taker, editor, announce]);
}

/** The span whose line has the focus, else the one that is looked at. */
function pressTakeOver(): void {
  const line =
    document.activeElement?.closest(".beside-item") ??
    document.querySelector(".beside-line[aria-pressed=true]")?.closest(".beside-item");
  line?.querySelector<HTMLElement>(".take-over")?.click();
}

function titleOf({ page }: ItemBench, { annotation }: EditDraft): string {
  if (annotation === null) return "Your edit, from nothing";
  const letter = page.annotations.find(({ id }) => id === annotation)?.letter;
  return letter ? `Your edit, from ${letter}` : "Your edit, from an annotation that was revised since";
}

const NO_MARKS: readonly Mark[] = [];

/** Every change is kept as it is made. */
function useKept({ keepEdit }: ItemBench, draft: EditDraft) {
  const { annotation, marks, isChanged } = draft;
  const keep = useRef(keepEdit);
  useEffect(() => {
    keep.current = keepEdit;
  });
  const asBegun = useRef(marks);
  useEffect(() => {
    // What was found is kept already: written again it would replace what another tab keeps at this moment.
    if (isChanged && marks !== asBegun.current) keep.current({ annotation, marks, isChanged });
    asBegun.current = NO_MARKS;
  }, [annotation, marks, isChanged]);
}

interface WorkplaceProps {
  marking: Marking;
  bench: ItemBench;
  /** Always in view, however long the text and the list are. */
  children: ReactNode;
}

function Workplace({ marking, bench, children }: WorkplaceProps) {
  const { editor, spanCommands, keys, focus } = marking;
  const id = useId();
  return (
    <div className="edit-sides">
      <div>
        <Categories
          editor={editor}
          keys={keys}
          onCategory={spanCommands.category}
          onCard={focus.show}
          id={`${id}-hint`}
        />
        <EditableText marking={marking} hintId={`${id}-hint`} />
      </div>
      <div className="edit-side">
        <EditableSpans marking={marking} sources={bench.sources} />
        {children}
      </div>
    </div>
  );
}

function editActions(runs: Record<keyof typeof KEYS, () => void>): Action[] {
  const labels = {
    store: "Store as aggregated annotation",
    stop: "Drop the edit",
    codebook: "The whole codebook, with its guidelines",
    keys: "Keys",
    takeOver: "Take over the span below that has the focus, or that is looked at",
  };
  return (Object.keys(KEYS) as (keyof typeof KEYS)[]).map((id) => ({
    id: `edit-${id}`,
    label: labels[id],
    group: "Your edit",
    key: KEYS[id],
    isEnabled: () => true,
    run: runs[id],
  }));
}
