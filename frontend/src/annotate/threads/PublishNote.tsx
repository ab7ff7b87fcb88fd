import { useMutation } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { flagsApi, notesKey } from "../../api/flags";
import type { StageDefinition } from "../../api/types";
import { useRefresh } from "../../api/useRefresh";
import { useAnnounce } from "../../components/Announcer";
import { CancelButton, Dialog } from "../../components/Dialog";
import { Labelled } from "../../components/Labelled";
import { Refusal } from "../../components/Refusal";
import { Select } from "../../components/Select";
import { KeptNotice } from "../../kept/KeptNotice";
import { useKept } from "../../kept/useKept";
import { type Sent, useKeptClientId } from "../../outbox/useKeptClientId";
import { useProject } from "../../session/project";

interface PublishNoteProps {
  stages: readonly StageDefinition[];
  /** The flag that it answers. */
  flag?: string;
  refreshes?: readonly (readonly unknown[])[];
  onClose: () => void;
}

/** A note to everybody who labels. */
export function PublishNote({ stages, flag, refreshes = [], onClose }: PublishNoteProps) {
  const { id } = useProject();
  const form = useKept(`note.${id}.${flag ?? ""}`, {
    ...{ words: "", stage: "" },
    sent: null as Sent | null,
  });
  const { words, stage } = form.value;
  const clientId = useKeptClientId(form);
  const announce = useAnnounce();
  const refresh = useRefresh();
  const publish = useMutation({
    mutationFn: () => {
      const body = { words, stage, flag };
      return flagsApi.publishNote(id, { ...body, client_id: clientId(body) });
    },
    onSuccess: async () => {
      form.discard();
      await refresh(notesKey(id), ["notices"], ...refreshes);
      announce("The note is published.");
      onClose();
    },
    networkMode: "always",
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (words.trim()) publish.mutate();
  };
  return (
    <Dialog title="Publish a note" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p className="mute">
          Everybody who labels sees it in the codebook's help, with its date. Nobody is told who asked. Do not
          quote anybody's answer.
        </p>
        <KeptNotice form={form} what="the note" />
        <Labelled label="Note">
          {(control) => (
            <textarea
              {...control}
              rows={5}
              maxLength={5_000}
              value={words}
              data-first-focus
              onChange={(event) => {
                const typed = event.currentTarget.value;
                form.set((before) => ({ ...before, words: typed }));
              }}
            />
          )}
        </Labelled>
        <Select
          label="It is about"
          value={stage}
          options={[
            { value: "", text: "The whole codebook" },
            ...stages.map(({ key, title }) => ({ value: key, text: title })),
          ]}
          onValue={(key) => form.set((before) => ({ ...before, stage: key }))}
        />
        <Refusal error={publish.error} />
        <div className="row">
          <button type="submit" className="button primary" disabled={publish.isPending || !words.trim()}>
            Publish the note
          </button>
          <CancelButton onClose={onClose} />
        </div>
      </form>
    </Dialog>
  );
}
