import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { isApiError } from "../../../api/errors";
import { useRefresh } from "../../../api/useRefresh";
import { CancelButton, Dialog } from "../../../components/Dialog";
import { Field } from "../../../components/Field";
import { Refusal } from "../../../components/Refusal";
import { causesQuery, evaluationApi } from "../api";
import type { Work } from "./useWork";

/** Adds a cause to the project's list, and names it for the error in hand. */
export function NewCause({ work, projectId }: { work: Work; projectId: string }) {
  const [name, setName] = useState("");
  const refresh = useRefresh();
  const close = () => work.askNew(false);
  const making = useMutation({
    mutationFn: () => evaluationApi.makeCause(projectId, name.trim()),
    onSuccess: async (cause) => {
      await refresh(causesQuery(projectId).queryKey);
      close();
      // A name that is there already gives its cause, and naming that once more would take it away.
      if (work.current?.cause?.id !== cause.id) work.assign(cause);
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (name.trim() !== "") making.mutate();
  };
  const errors = isApiError(making.error) ? making.error.fields.name : undefined;
  return (
    <Dialog title="Add a cause" onClose={close}>
      <form className="stack" onSubmit={submit}>
        <Field
          label="Cause"
          hint="In a few words. It is the project's own list, for every evaluation."
          maxLength={200}
          autoComplete="off"
          data-first-focus
          value={name}
          errors={errors}
          onValue={setName}
        />
        <Refusal error={errors ? null : making.error} />
        <div className="row">
          <button type="submit" className="button primary" disabled={making.isPending || name.trim() === ""}>
            Add and name it
          </button>
          <CancelButton onClose={close} />
        </div>
      </form>
    </Dialog>
  );
}
