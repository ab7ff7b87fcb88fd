import { useMutation } from "@tanstack/react-query";
import { useRefresh } from "../../api/useRefresh";
import { useAnnounce } from "../../components/Announcer";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Field } from "../../components/Field";
import { Refusal } from "../../components/Refusal";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { useProject } from "../../session/project";
import { itemsApi, itemsKey } from "./api";

function useItemAct<T>(act: (argument: T) => Promise<unknown>, said: string) {
  const { id: projectId } = useProject();
  const refresh = useRefresh();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: act,
    onSuccess: () => announce(said),
    onSettled: () =>
      refresh(itemsKey(projectId), ["item-history"], ["project", projectId], ["rounds", projectId]),
  });
}

interface LeaveOutProps {
  /** Its address, and the id that it was imported with. */
  id: string;
  itemId: string;
}

/** Takes an item out of the pool, with a reason. */
export function LeaveOut({ id, itemId }: LeaveOutProps) {
  const form = useKept(`leave-out.${id}`, "");
  const reason = form.value;
  const leave = useItemAct((why: string) => itemsApi.leaveOut(id, why), `Item ${itemId} is left out.`);
  return (
    <ConfirmButton
      button="Leave out"
      label={`Leave out item ${itemId}`}
      title={`Leave item ${itemId} out?`}
      act="Leave it out"
      danger
      blocked={reason.trim() === ""}
      onConfirm={() => leave.mutateAsync(reason).then(form.discard)}
    >
      {(errors) => (
        <>
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
            errors={errors.reason}
            onValue={form.set}
          />
        </>
      )}
    </ConfirmButton>
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
