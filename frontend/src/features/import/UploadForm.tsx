import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { isApiError } from "../../api/errors";
import type { Workers } from "../../api/types";
import { lightWorkerAway } from "../../app/lightWorker";
import { Meter } from "../../components/Meter";
import { Refusal } from "../../components/Refusal";
import { percent, sizeWords } from "../../components/words";
import { importSend, importsQuery } from "./api";
import { FilePicker } from "./FilePicker";
import { LineHelp } from "./LineHelp";
import { SettingsFields } from "./SettingsFields";
import { importForm, type Settings, usualSettings } from "./settings";

const FIELDS = ["file", "format", "unit", "rows", "min_tokens", "max_tokens", "splitter", "skip_bad_lines"];

interface UploadFormProps {
  projectId: string;
  workers: Workers | undefined;
  /** The project's codebook marks spans. */
  hasSpans: boolean;
}

export function UploadForm({ projectId, workers, hasSpans }: UploadFormProps) {
  const [file, setFile] = useState<File | null>(null);
  const [chosen, setChosen] = useState<Partial<Settings>>({});
  const settings = { ...usualSettings(hasSpans), ...chosen };
  const [missing, setMissing] = useState(false);
  const send = useSend(projectId);
  // Nothing is queued where nobody would take it up.
  const whyNot = workers && lightWorkerAway(workers, "does the imports", "import");
  const whyId = useId();
  const errors = isApiError(send.error) ? send.error.fields : {};
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setMissing(!file);
    if (file && !whyNot && !send.isPending)
      send.mutate(importForm(file, settings), { onSuccess: () => setFile(null) });
  };
  return (
    <form className="card stack import-form" onSubmit={submit} noValidate aria-label="Import a file">
      <h2>Import a file</h2>
      <FilePicker
        file={file}
        errors={missing && !file ? ["Choose a file first."] : errors.file}
        onFile={setFile}
      />
      <LineHelp />
      <SettingsFields
        settings={settings}
        errors={errors}
        change={(part) => setChosen((before) => ({ ...before, ...part }))}
      />
      {send.isPending && <Sending sent={send.sent} total={send.total} stop={send.stop} />}
      <Refusal error={send.error} placed={(field) => FIELDS.includes(field)} />
      {whyNot && (
        <p className="notice bad" id={whyId} role="alert">
          {whyNot}
        </p>
      )}
      <div className="row">
        <button
          type="submit"
          className="button primary"
          disabled={send.isPending}
          aria-disabled={Boolean(whyNot) || undefined}
          aria-describedby={whyNot ? whyId : undefined}
        >
          Import
        </button>
      </div>
    </form>
  );
}

function useSend(projectId: string) {
  const client = useQueryClient();
  const [progress, setProgress] = useState({ sent: 0, total: 0 });
  const [abort, setAbort] = useState<AbortController | null>(null);
  const mutation = useMutation({
    mutationFn: async (form: FormData) => {
      const controller = new AbortController();
      setAbort(controller);
      setProgress({ sent: 0, total: 0 });
      return importSend(projectId, form, {
        signal: controller.signal,
        onProgress: (sent, total) => setProgress({ sent, total }),
      });
    },
    onSettled: () => client.invalidateQueries({ queryKey: importsQuery(projectId).queryKey }),
  });
  const stopped = mutation.error instanceof DOMException && mutation.error.name === "AbortError";
  return { ...mutation, ...progress, error: stopped ? null : mutation.error, stop: () => abort?.abort() };
}

function Sending({ sent, total, stop }: { sent: number; total: number; stop: () => void }) {
  const share = total === 0 ? 0 : sent / total;
  return (
    <div className="sending">
      <div className="row">
        <span className="small numbers">
          {share === 1
            ? "Sent. The server checks it."
            : `Sending: ${sizeWords(sent)} of ${sizeWords(total)} (${percent(share)})`}
        </span>
        <button type="button" className="button quiet" onClick={stop}>
          Stop sending
        </button>
      </div>
      <Meter share={share} />
    </div>
  );
}
