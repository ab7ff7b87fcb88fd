import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { spanKeys } from "../../annotate/spans/model/spanKeys";
import { sourceActions } from "../../annotate/spans/sourceActions";
import { type Sources, useSources } from "../../annotate/spans/useSources";
import { isApiError } from "../../api/errors";
import { marksOf } from "../../api/marks";
import type { SpanOut } from "../../api/types";
import { useAnnounce } from "../../components/Announcer";
import { useAskBeforeLeaving } from "../../kept/leaving";
import { type Elsewhere, useElsewhere } from "../../kept/useElsewhere";
import type { KeptForm } from "../../kept/useKept";
import { useOwnKeys } from "../../keyboard/ownKeys";
import type { Action } from "../../keyboard/registry";
import { useMe } from "../../session/session";
import { columnId, type ItemCommands, readingActions } from "./actions";
import { type ItemPage, layerOf } from "./api";
import { decidedWords } from "./model/copy";
import { type EditDraft, EditDrafts } from "./model/drafts";
import { pathTo } from "./model/paths";
import { type Decision, useDecide } from "./useDecide";
import { useRejection } from "./useRejection";

export type Overlay = "reject" | "codebook" | "keys" | null;

/** Everything that the page of one item knows and can do. */
export interface ItemBench {
  page: ItemPage;
  commands: ItemCommands;
  /** Its keys, while nothing is edited. */
  actions: Action[];
  overlay: Overlay;
  setOverlay: (overlay: Overlay) => void;
  onlyDifferences: boolean;
  /** An edit in the making; null while the annotations are only looked at. */
  edit: EditDraft | null;
  /** An edit waits that cannot go on, since the item was settled meanwhile. */
  hasEditWaiting: boolean;
  keepEdit: (edit: EditDraft) => void;
  /** Grows when an edit is begun anew, here or from what another tab kept. */
  timesBegun: number;
  /** What another tab did to the edit. */
  editElsewhere: Elsewhere | null;
  /** What takes a span of a column into the edit; set while one is made. */
  taker: RefObject<((span: SpanOut) => void) | null>;
  /** Stays the same function, so that lines are not drawn anew. */
  takeOver: (span: SpanOut) => void;
  rejection: KeptForm<string>;
  sources: Sources;
  /** Shows and hides them. */
  sourcesKey: string | null;
  /** Nothing keeps the edit over a reload. */
  isEditAtRisk: boolean;
  isBusy: boolean;
  /** Why the last decision was not taken. */
  error: unknown;
}

export function useItemBench(page: ItemPage, projectId: string): ItemBench {
  const me = useMe();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const drafts = useMemo(() => new EditDrafts(me.id), [me.id]);
  const editing = useEditing(drafts, page);
  const rejection = useRejection(page.id);
  const [overlay, setOverlay] = useState<Overlay>(null);
  const [onlyDifferences, setOnlyDifferences] = useState(false);
  const sources = useSources(page.sources, { texts: page.sources, error: null, retry: () => {} });
  const sourcesKey = spanKeys(layerOf(page), useOwnKeys()).commands.sources;
  const taker = useRef<((span: SpanOut) => void) | null>(null);
  const takeOver = useCallback((span: SpanOut) => taker.current?.(span), []);
  const decision = useDecide(projectId, page.id);
  const send = (part: Partial<Decision> & Pick<Decision, "decision">, done: string, after?: () => void) => {
    if (decision.isPending) return;
    const whole = { annotation: null, spans: [], reason: "", ...part, base_revision: page.revision };
    const onStored = () => {
      after?.();
      if (part.decision !== "reopened") rejection.discard();
      announce(done);
    };
    // What was decided meanwhile is seen before anything replaces it: a dialog would hide it, and send from it.
    const onError = (error: unknown) => isApiError(error, 409) && setOverlay(null);
    decision.mutate({ body: whole, onStored }, { onError });
  };
  const begin = (annotation: string | null, spans: readonly SpanOut[]) => {
    decision.reset();
    editing.begin({ annotation, marks: marksOf(spans), isChanged: false });
  };
  const commands: ItemCommands = {
    choose: (annotation) => document.getElementById(columnId(annotation))?.querySelector("button")?.focus(),
    accept: ({ id, letter }) => send({ decision: "accepted", annotation: id }, `Accepted ${letter}.`),
    editFrom: ({ id, spans }) => begin(id, spans),
    editFromNothing: () => begin(null, []),
    editAgain: () => page.taken_back && begin(page.taken_back.annotation, page.taken_back.spans),
    askReject: () => {
      if (decision.isPending) return;
      if (decision.isError) decision.reset();
      setOverlay("reject");
    },
    reject: () =>
      send({ decision: "rejected", reason: rejection.value }, "Rejected.", () => setOverlay(null)),
    stopRejecting: () => setOverlay(null),
    dropRejection: () => {
      rejection.discard();
      setOverlay(null);
    },
    reopen: () => send({ decision: "reopened" }, "Reopened."),
    store: (spans) =>
      send(
        { decision: "edited", annotation: editing.edit?.annotation ?? null, spans },
        "Edit stored.",
        editing.end,
      ),
    stopEditing: () => {
      decision.reset();
      editing.end();
    },
    toggleDifferences: () => setOnlyDifferences(!onlyDifferences),
    go: (itemId) => itemId && void navigate(pathTo(projectId, itemId)),
    codebook: () => setOverlay("codebook"),
    keys: () => setOverlay("keys"),
  };
  return {
    ...{ page, commands, overlay, setOverlay, onlyDifferences },
    actions: [...readingActions(page, commands), ...sourceActions(sources, sourcesKey, null)],
    ...{ sources, sourcesKey },
    edit: editing.edit,
    hasEditWaiting: editing.isBegun && editing.edit === null,
    keepEdit: editing.keep,
    timesBegun: editing.begun,
    editElsewhere: editing.elsewhere,
    taker,
    takeOver,
    rejection,
    isEditAtRisk: editing.isAtRisk,
    isBusy: decision.isPending,
    error: decision.error,
  };
}

/** The edit of an item, begun once and then kept at every change; it waits while the item is settled. */
function useEditing(drafts: EditDrafts, page: ItemPage) {
  const [begun, setBegun] = useState(() => (drafts.get(page.id) ? 1 : 0));
  const [isAtRisk, setAtRisk] = useState(false);
  const [elsewhere, setElsewhere] = useState<Elsewhere | null>(null);
  const keep = (draft: EditDraft) => {
    setElsewhere(null);
    setAtRisk(!drafts.keep(page.id, draft));
  };
  useElsewhere(drafts, page.id, (what) => {
    setElsewhere(what);
    setBegun(what === "gone" ? 0 : begun + 1);
  });
  useAskBeforeLeaving(isAtRisk && begun > 0 ? "This browser could not keep the edit that you began." : null);
  const isEditing = begun > 0 && page.state === "open";
  // biome-ignore lint/correctness/useExhaustiveDependencies(begun): an edit that is begun anew starts from other spans
  const edit = useMemo(() => (isEditing ? drafts.get(page.id) : null), [drafts, page.id, isEditing, begun]);
  return {
    ...{ edit, keep, elsewhere, isAtRisk, begun, isBegun: begun > 0 },
    begin: (draft: EditDraft) => {
      keep(draft);
      setBegun(begun + 1);
    },
    end: () => {
      drafts.drop(page.id);
      setBegun(0);
    },
  };
}

export function decisionSaid(page: ItemPage): string {
  if (page.decision) return decidedWords(page.decision);
  if (page.taken_back) return `Reopened. Before that: ${decidedWords(page.taken_back)}`;
  return page.state === "waiting"
    ? "Not every annotation has been submitted yet."
    : "Nothing is decided yet.";
}
