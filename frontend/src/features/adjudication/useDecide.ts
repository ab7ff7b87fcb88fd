import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { isApiError } from "../../api/errors";
import { uuid } from "../../outbox/uuid";
import { type Case, type Decision, type DecisionBody, decide } from "./api";

export type Sent = Omit<DecisionBody, "client_id">;

/**
 * Sends a decision. The same one sent again carries the same id, so that one whose answer was lost is not stored twice.
 * After it the lists and the items are loaded anew, and also where it was made from something that is no longer so.
 */
export function useDecide(projectId: string, itemId: string) {
  const client = useQueryClient();
  const attempt = useRef<{ said: string; clientId: string } | null>(null);
  // Nobody waits for it: what is shown next was loaded ahead.
  const forget = () => {
    void client.invalidateQueries({ queryKey: ["disagreements", projectId] });
    // The neighbours of every loaded item may have changed with it.
    void client.invalidateQueries({ queryKey: ["case", projectId] });
  };
  return useMutation({
    /** `onStored` runs as soon as the server has it, whether or not the page is still there. */
    mutationFn: async ({ body, onStored }: { body: Sent; onStored: () => void }): Promise<Decision> => {
      const said = JSON.stringify(body);
      if (attempt.current?.said !== said) attempt.current = { said, clientId: uuid() };
      const stored = await decide(projectId, itemId, { ...body, client_id: attempt.current.clientId });
      attempt.current = null;
      onStored();
      return stored;
    },
    onSuccess: (stored) => {
      client.setQueriesData<Case>({ queryKey: ["case", projectId, itemId] }, (page) =>
        page ? { ...page, decision: stored } : undefined,
      );
      forget();
    },
    onError: (error) => {
      if (isApiError(error, 409)) forget();
    },
  });
}
