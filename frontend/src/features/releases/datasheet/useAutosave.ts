import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { isApiError } from "../../../api/errors";
import { meQuery } from "../../../api/queries";
import { answerSave, type Datasheet, datasheetQuery, type Question, withQuestion } from "./api";
import type { Autosave, AutosaveState } from "./autosave";
import { Drafts } from "./drafts";
import { SheetAutosave, type Unsaved } from "./sheetAutosave";

/** The texts being written, for as long as the page is open. */
export function useSheetAutosave(projectId: string, userId: string, sheet: Datasheet): SheetAutosave {
  const client = useQueryClient();
  const [sheetAutosave] = useState(() => {
    const onStored = (question: Question) =>
      client.setQueryData(datasheetQuery(projectId).queryKey, (old) => old && withQuestion(old, question));
    const onError = (error: unknown) => {
      // The signed-in pages watch `me`: null leads to the sign-in and back here.
      if (isApiError(error, 401)) client.setQueryData(meQuery.queryKey, null);
    };
    const save = (key: string, text: string, base: number) => answerSave(projectId, key, text, base);
    return new SheetAutosave(sheet, { save, drafts: new Drafts(userId, projectId), onStored, onError });
  });
  useEffect(() => sheetAutosave.adopt(sheet), [sheetAutosave, sheet]);
  useEffect(() => {
    sheetAutosave.open();
    window.addEventListener("online", sheetAutosave.flush);
    return () => {
      window.removeEventListener("online", sheetAutosave.flush);
      sheetAutosave.close();
    };
  }, [sheetAutosave]);
  return sheetAutosave;
}

export function useAutosave(sheetAutosave: SheetAutosave, question: Question): [Autosave, AutosaveState] {
  const autosave = sheetAutosave.of(question);
  const state = useSyncExternalStore(
    (watcher) => sheetAutosave.watch(question.key, watcher),
    () => autosave.state,
  );
  return [autosave, state];
}

export function useUnsaved(sheetAutosave: SheetAutosave): Unsaved {
  return useSyncExternalStore(
    (watcher) => sheetAutosave.watch("", watcher),
    () => sheetAutosave.unsaved,
  );
}
