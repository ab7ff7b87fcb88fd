import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import type { Assignment } from "../../../api/types";
import { useAnnounce } from "../../../components/Announcer";
import { CancelButton, Dialog } from "../../../components/Dialog";
import { Field } from "../../../components/Field";
import { Refusal } from "../../../components/Refusal";
import { KeptNotice } from "../../../kept/KeptNotice";
import { useKept } from "../../../kept/useKept";
import { useOutbox } from "../../../outbox/OutboxProvider";
import { uuid } from "../../../outbox/uuid";

interface FlagDialogProps {
  assignment: Assignment;
  projectId: string;
  /** Left out where the item is answered already. */
  onSkip?: () => Promise<boolean>;
  onClose: () => void;
}

/** A question to the admins about the item. It is on its way once it is on this browser's disk. */
export function FlagDialog({ assignment, projectId, onSkip, onClose }: FlagDialogProps) {
  const form = useKept(`flag.${assignment.id}`, "");
  const note = form.value;
  const outbox = useOutbox();
  const announce = useAnnounce();
  const [clientId] = useState(uuid);
  const flag = useMutation({
    mutationFn: async ({ skips }: { skips: boolean }) => {
      await outbox.commit({
        projectId,
        flagged: { id: assignment.id, text: assignment.item.text },
        body: { client_id: clientId, note },
      });
      form.discard();
      announce("The item is flagged.");
      onClose();
      if (skips) await onSkip?.();
    },
    networkMode: "always",
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    flag.mutate({ skips: false });
  };
  return (
    <Dialog title="Flag for the admins" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p className="mute">
          Admins see the item and your question, with your name; no other annotator does. Their answer appears
          beside the item and under Flags.
        </p>
        <KeptNotice form={form} what="the note" />
        <Field
          label="Your question or note (optional)"
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
          {onSkip && (
            <button
              type="button"
              className="button"
              disabled={flag.isPending}
              onClick={() => flag.mutate({ skips: true })}
            >
              Flag and skip for now
            </button>
          )}
          <CancelButton onClose={onClose} />
        </div>
        {onSkip && (
          <p className="small mute">A skipped item counts as done. Answer it after all until it is final.</p>
        )}
      </form>
    </Dialog>
  );
}
