import { useMutation } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { post } from "../../../api/client";
import { useAnnounce } from "../../../components/Announcer";
import { CancelButton, Dialog } from "../../../components/Dialog";
import { Field } from "../../../components/Field";
import { Refusal } from "../../../components/Refusal";
import { KeptNotice } from "../../../kept/KeptNotice";
import { useKept } from "../../../kept/useKept";

/** A sign to the admins that somebody should look at the item; the answer is given as ever. */
export function FlagDialog({ assignmentId, onClose }: { assignmentId: string; onClose: () => void }) {
  const form = useKept(`flag.${assignmentId}`, "");
  const note = form.value;
  const announce = useAnnounce();
  const flag = useMutation({
    mutationFn: () =>
      post("/api/assignments/{assignment_id}/flag/", {
        params: { path: { assignment_id: assignmentId } },
        body: { note },
      }),
    onSuccess: () => {
      form.discard();
      announce("The item is flagged.");
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    flag.mutate();
  };
  return (
    <Dialog title="Flag for the admin" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p className="mute">
          An admin sees the item under Comments, with your name. You still answer it as usual.
        </p>
        <KeptNotice form={form} what="the note" />
        <Field
          label="Note (optional)"
          value={note}
          maxLength={1_000}
          autoComplete="off"
          data-first-focus
          onValue={form.set}
        />
        <Refusal error={flag.error} />
        <div className="row">
          <button type="submit" className="button primary" disabled={flag.isPending}>
            Flag the item
          </button>
          <CancelButton onClose={onClose} />
        </div>
      </form>
    </Dialog>
  );
}
