import { useCallback, useLayoutEffect, useMemo, useReducer, useRef, useState } from "react";
import { errorWords } from "../../../api/errors";
import type { FactoidList, ListStep } from "../../../api/factoids";
import { useAnnounce } from "../../../components/Announcer";
import { useAskBeforeLeaving } from "../../../kept/leaving";
import { useOutbox, useOutboxState } from "../../../outbox/OutboxProvider";
import { ofList } from "../../../outbox/order";
import type { StepEntry, StoredStep } from "../../../outbox/types";
import { uuid } from "../../../outbox/uuid";
import { useProject } from "../../../session/project";
import { readOnlyWords, stepWords } from "./model/copy";
import { textsOf } from "./model/views";
import { begun, type Fresh, listNow, nextBase, redoOf, undoOf, work } from "./model/work";

const NONE: readonly StoredStep[] = [];

export type Work = ReturnType<typeof useWork>;

/** A list as it is now, and what a person does to it: each step shows at once, and goes to the server by the outbox. */
export function useWork(list: FactoidList) {
  const { id: projectId } = useProject();
  const outbox = useOutbox();
  const announce = useAnnounce();
  const { entries, steps } = useOutboxState();
  const [state, dispatch] = useReducer(work, list, begun);
  const [problem, setProblem] = useState<string | null>(null);
  const stored = steps.get(list.id) ?? NONE;
  const waiting = useSteady(ofList(entries, list.id));
  const { fresh } = state;
  const known = useMemo(() => ({ stored, waiting, fresh }), [stored, waiting, fresh]);
  const now = useMemo(() => listNow(list, known), [list, known]);
  const texts = useMemo(() => textsOf(list.texts), [list.texts]);
  const active = now.factoids.find(({ key }) => key === state.active) ?? null;
  const readOnly = readOnlyWords(list);
  const mayEdit = readOnly === null && problem === null;
  useAskBeforeLeaving(problem);

  const commit = async ({ clientId, step }: Fresh, base_revision: number) => {
    const body = { ...step, client_id: clientId, base_revision };
    await outbox.commit({ projectId, list: { id: list.id, set: list.set.name }, body });
    dispatch({ kind: "committed", clientId });
  };
  const latest = useRef({ mayEdit, now, known, commit, announce });
  useLayoutEffect(() => {
    latest.current = { mayEdit, now, known, commit, announce };
  });

  /** `next`: the factoid that is at hand afterwards. False where nothing is to be done, or may be. */
  const perform = useCallback((step: ListStep | null, next?: string | null): boolean => {
    const { mayEdit, now, known, commit, announce } = latest.current;
    if (!step || !mayEdit) return false;
    const made = { clientId: uuid(), step };
    dispatch({ kind: "did", ...made, ...(next !== undefined && { active: next }) });
    announce(stepWords(step, now));
    commit(made, nextBase(now.revision, known)).catch((error: unknown) => setProblem(errorWords(error)));
    return true;
  }, []);

  /** After the browser could not keep a step: all that is not kept, in its order. */
  const keepAgain = async () => {
    const base = nextBase(now.revision, { ...known, fresh: [] });
    try {
      for (const [place, each] of fresh.entries()) await commit(each, base + place);
      setProblem(null);
    } catch (error) {
      setProblem(errorWords(error));
    }
  };

  return {
    ...{ list: now, texts, state, dispatch, active, waiting, perform, readOnly, mayEdit, problem, keepAgain },
    undo: () => perform(undoOf(state)),
    redo: () => perform(redoOf(state)),
    rebased: () => {
      dispatch({ kind: "rebased" });
      announce("Steps from before can no longer be undone.");
    },
    mayUndo: mayEdit && state.past.length > 0,
    mayRedo: mayEdit && state.future.length > 0,
  };
}

/** The same array while it says the same: the outbox reads its entries anew whenever anything changes. */
function useSteady(entries: StepEntry[]): readonly StepEntry[] {
  const [kept, setKept] = useState(entries);
  const isSame =
    kept.length === entries.length &&
    kept.every(
      ({ body, refusal }, place) =>
        body.client_id === entries[place]?.body.client_id && refusal?.code === entries[place]?.refusal?.code,
    );
  if (!isSame) setKept(entries);
  return isSame ? kept : entries;
}
