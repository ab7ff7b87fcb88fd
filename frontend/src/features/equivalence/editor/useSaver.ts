import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { KeptDrafts } from "../../../kept/drafts";
import { useAskBeforeLeaving } from "../../../kept/leaving";
import { uuid } from "../../../outbox/uuid";
import { useMe } from "../../../session/session";
import { counted } from "../../../text/format";
import { evaluationQuery, overviewQuery, serverOf } from "../api";
import { type Edit, editWords } from "../model/edits";
import { Saver } from "../model/saver";
import type { Decision, Evaluation } from "../types";

/** The evaluation as it is now, and what a person does to it: each step shows at once, and saves by itself. */
export function useSaver(projectId: string, evaluation: Evaluation) {
  const me = useMe();
  const client = useQueryClient();
  const [saver] = useState(
    () =>
      new Saver(evaluation, serverOf(projectId), new KeptDrafts(me.id, "equivalence"), (stored) => {
        client.setQueryData(evaluationQuery(projectId, stored.id).queryKey, stored);
        void client.invalidateQueries({ queryKey: overviewQuery(projectId).queryKey, exact: true });
      }),
  );
  const now = useSyncExternalStore(saver.subscribe, saver.get);
  useEffect(() => saver.start(), [saver]);
  useEffect(() => saver.hear(evaluation), [saver, evaluation]);
  const { n_waiting, isKept } = now;
  useAskBeforeLeaving(
    n_waiting === 0
      ? null
      : `${counted(n_waiting, "change is", "changes are")} not stored on the server yet.${
          isKept ? " This browser keeps them, and sends them when you open this evaluation here again." : ""
        }`,
    isKept,
  );
  return useMemo(
    () => ({
      ...{ saver, now },
      edit: (edit: Edit): string => {
        const action = editWords(saver.get().content, edit);
        saver.perform({ kind: "edit", clientId: uuid(), action, edit });
        return action;
      },
      review: (key: string, decision: Decision, note: string, action: string) =>
        saver.perform({ kind: "review", clientId: uuid(), action, key, decision, note }),
      restore: (revision: number) =>
        saver.perform({
          kind: "restore",
          clientId: uuid(),
          action: `Restore revision ${revision}`,
          revision,
        }),
      undo: () => saver.undo(uuid()),
      redo: () => saver.redo(uuid()),
    }),
    [saver, now],
  );
}

export type Saving = ReturnType<typeof useSaver>;
