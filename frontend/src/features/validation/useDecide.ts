import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { isApiError } from "../../api/errors";
import { uuid } from "../../outbox/uuid";
import { type DecisionBody, decide, itemQuery } from "./api";

export type Decision = Omit<DecisionBody, "client_id">;

/**
 * Sends a decision. The same one sent again carries the same id, so that one whose answer was lost is not stored twice.
 * After it, and where it was made from something that is no longer so, the item is loaded anew.
 */
export function useDecide(projectId: string, itemId: string) {
  const client = useQueryClient();
  const attempt = useRef<{ said: string; clientId: string } | null>(null);
  const reload = () => client.invalidateQueries({ queryKey: itemQuery(projectId, itemId).queryKey });
  return useMutation({
    /** `onStored` runs as soon as the server has it, whether or not the page is still there. */
    mutationFn: async ({ body, onStored }: { body: Decision; onStored: () => void }) => {
      const said = JSON.stringify(body);
      if (attempt.current?.said !== said) attempt.current = { said, clientId: uuid() };
      await decide(projectId, itemId, { ...body, client_id: attempt.current.clientId });
      attempt.current = null;
      onStored();
    },
    onSuccess: reload,
    onError: async (error) => {
      if (isApiError(error, 409)) await reload();
    },
  });
}
