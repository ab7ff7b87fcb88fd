import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Rest } from "../api/batches";
import { useRefresh } from "../api/useRefresh";
import { Dialog } from "../components/Dialog";
import { NotLoaded } from "../components/states";

/** Does something to an open batch, and asks anew for all that shows it. */
export function useBatchAct<T>(id: string, projectId: string, act: (argument: T) => Promise<Rest>) {
  const refresh = useRefresh();
  const changed = ["rounds", "prototype", "chosen-batches", "overview", "project", "members"].map((name) => [
    name,
    projectId,
  ]);
  return useMutation({ mutationFn: act, onSettled: () => refresh(["batch-rest", id], ...changed) });
}

interface WaitingProps {
  title: string;
  error: unknown;
  retry: () => void;
  onClose: () => void;
}

/** A dialog that waits for what is open in the batch. */
export function Waiting({ title, error, retry, onClose }: WaitingProps): ReactNode {
  return (
    <Dialog title={title} onClose={onClose}>
      {error ? (
        <NotLoaded what="What is open" error={error} retry={retry} />
      ) : (
        <p className="mute">Counting what is open</p>
      )}
    </Dialog>
  );
}
