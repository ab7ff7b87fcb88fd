import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isApiError } from "../../api/errors";
import { useAnnounce } from "../../components/Announcer";
import { Confirm } from "../../components/Confirm";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { useProject } from "../../session/project";
import { itemsApi, itemsKey } from "./api";

function useItemAct<T>(act: (argument: T) => Promise<unknown>, said: string) {
  const { id: projectId } = useProject();
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: act,
    onSuccess: () => announce(said),
    onSettled: () =>
      Promise.all(
        [itemsKey(projectId), ["project", projectId], ["rounds", projectId]].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

interface LeaveOutProps {
  /** Its address, and the id that it was imported with. */
  id: string;
  itemId: string;
}

/** Takes an item out of the pool, with a reason. */
export function LeaveOut({ id, itemId }: LeaveOutProps) {
  const [isAsked, setAsked] = useState(false);
  const form = useKept(`leave-out.${id}`, "");
  const reason = form.value;
  const leave = useItemAct((why: string) => itemsApi.leaveOut(id, why), `Item ${itemId} is left out.`);
  const errors = isApiError(leave.error) ? leave.error.fields.reason : undefined;
  const left = () => {
    form.discard();
    setAsked(false);
  };
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={`Leave out item ${itemId}`}
        onClick={() => setAsked(true)}
      >
        Leave out
      </button>
      {isAsked && (
        <Confirm
          title={`Leave item ${itemId} out?`}
          act="Leave it out"
          danger
          busy={leave.isPending}
          blocked={reason.trim() === ""}
          error={errors ? null : leave.error}
          onConfirm={() => leave.mutate(reason, { onSuccess: left })}
          onClose={() => {
            leave.reset();
            setAsked(false);
          }}
        >
          <p>
            It is never drawn again, and later rounds do not learn from it. Whoever has not answered it is not
            given it any more. Answers that were given stay: they count in agreement and stand in exports,
            with your reason beside them.
          </p>
          <KeptNotice form={form} what="the reason" />
          <Field
            label="Why"
            value={reason}
            maxLength={1000}
            data-first-focus
            hint="Stands in the log and in exports."
            errors={errors}
            onValue={form.set}
          />
        </Confirm>
      )}
    </>
  );
}

export function TakeBack({ id, itemId }: LeaveOutProps) {
  const take = useItemAct(() => itemsApi.takeBack(id), `Item ${itemId} is in the pool again.`);
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={`Take back item ${itemId}`}
        disabled={take.isPending}
        onClick={() => take.mutate(undefined)}
      >
        Take back
      </button>
      <Refusal error={take.error} />
    </>
  );
}
