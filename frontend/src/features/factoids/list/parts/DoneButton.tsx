import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type FactoidList, listApi, listQuery } from "../../../../api/factoids";
import { Confirm } from "../../../../components/Confirm";
import { Refusal } from "../../../../components/Refusal";
import type { Work } from "../useWork";

interface DoneButtonProps {
  work: Work;
  left: Left | null;
}

/** What is left, which is said before a list is called done. */
export interface Left {
  words: string;
  /** The list cannot be done before. */
  isNeeded: boolean;
}

/** Says to the admin that the work on a list is done, or takes that back while the phase is open. */
export function DoneButton({ work, left }: DoneButtonProps) {
  const { list, waiting } = work;
  const [asks, setAsks] = useState(false);
  const client = useQueryClient();
  const saying = useMutation({
    mutationFn: (done: boolean) => listApi.setDone(list.id, done),
    onSuccess: ({ done_at }) => {
      client.setQueryData<FactoidList>(
        listQuery(list.id).queryKey,
        (known) => known && { ...known, done_at },
      );
      setAsks(false);
    },
  });
  if (!list.may_edit || list.state !== "open" || list.phase === null) return null;
  if (list.done_at !== null)
    return (
      <>
        <button
          type="button"
          className="button"
          disabled={saying.isPending}
          onClick={() => saying.mutate(false)}
        >
          Not done after all
        </button>
        <Refusal error={saying.error} />
      </>
    );
  return (
    <>
      <button
        type="button"
        className="button"
        disabled={waiting.length > 0 || saying.isPending}
        title={waiting.length > 0 ? "Once all steps are saved" : undefined}
        onClick={() => (left === null ? saying.mutate(true) : setAsks(true))}
      >
        Mark as done
      </button>
      {!asks && <Refusal error={saying.error} />}
      {asks && (
        <Confirm
          title="Mark the list as done?"
          act="Mark as done"
          busy={saying.isPending}
          blocked={left?.isNeeded}
          error={saying.error}
          onConfirm={() => saying.mutate(true)}
          onClose={() => setAsks(false)}
        >
          <p>{left?.words}</p>
          {left?.isNeeded ? (
            <p>The list is done once none is missing.</p>
          ) : (
            <p>You may take it back until an admin closes the phase.</p>
          )}
        </Confirm>
      )}
    </>
  );
}
