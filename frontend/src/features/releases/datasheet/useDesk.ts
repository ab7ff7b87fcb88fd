import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { isApiError } from "../../../api/errors";
import { meQuery } from "../../../api/queries";
import { answerSave, type Datasheet, datasheetQuery, type Question, withQuestion } from "./api";
import { Desk, type Unsaved } from "./desk";
import { Drafts } from "./drafts";
import type { Writer, Writing } from "./writer";

/** The texts being written, for as long as the page is open. */
export function useDesk(projectId: string, userId: string, sheet: Datasheet): Desk {
  const client = useQueryClient();
  const [desk] = useState(() => {
    const onStored = (question: Question) =>
      client.setQueryData(datasheetQuery(projectId).queryKey, (old) => old && withQuestion(old, question));
    const onError = (error: unknown) => {
      // The signed-in pages watch `me`: null leads to the sign-in and back here.
      if (isApiError(error, 401)) client.setQueryData(meQuery.queryKey, null);
    };
    const save = (key: string, text: string, base: number) => answerSave(projectId, key, text, base);
    return new Desk(sheet, { save, drafts: new Drafts(userId, projectId), onStored, onError });
  });
  useEffect(() => desk.adopt(sheet), [desk, sheet]);
  useEffect(() => {
    desk.open();
    window.addEventListener("online", desk.flush);
    return () => {
      window.removeEventListener("online", desk.flush);
      desk.close();
    };
  }, [desk]);
  return desk;
}

export function useWriting(desk: Desk, question: Question): [Writer, Writing] {
  const writer = desk.of(question);
  const writing = useSyncExternalStore(
    (watcher) => desk.watch(question.key, watcher),
    () => writer.state,
  );
  return [writer, writing];
}

export function useUnsaved(desk: Desk): Unsaved {
  return useSyncExternalStore(
    (watcher) => desk.watch("", watcher),
    () => desk.unsaved,
  );
}
