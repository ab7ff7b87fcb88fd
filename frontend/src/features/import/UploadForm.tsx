import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { isApiError } from "../../api/errors";
import type { Workers } from "../../api/types";
import { FilePicker } from "../../components/FilePicker";
import { lightWorkerAway } from "../../components/lightWorker";
import { Meter } from "../../components/Meter";
import { Refusal } from "../../components/Refusal";
import { KeptNotice } from "../../kept/KeptNotice";
import { useAskBeforeLeaving } from "../../kept/leaving";
import { useKept } from "../../kept/useKept";
import { counted, percent, sizeWords } from "../../text/format";
import { type ImportJob, type ImportPreview, importSend, importsQuery } from "./api";
import { LineHelp } from "./LineHelp";
import { Preview } from "./Preview";
import { SettingsFields } from "./SettingsFields";
import { importForm, type Settings, usualSettings } from "./settings";
import { usePreview } from "./usePreview";

const FIELDS = [
  "file",
  "format",
  "unit",
  "rows",
  "min_tokens",
  "max_tokens",
  "splitter",
  "skip_bad_lines",
  "encoding",
  "delimiter",
  "sheet",
  "columns",
  "categories",
];

const ACCEPTED =
  "A spreadsheet (.xlsx, CSV or TSV), JSON Lines, a JSON array, Parquet, or a .zip of .txt files, of a ConvoKit corpus " +
  "or of a Hugging Face dataset. Exports of Label Studio and doccano, CoNLL files and brat archives bring their spans " +
  "along: if another format is told, choose theirs under More settings. Rows need a text; ids can be " +
  "made. You choose which column is what.";

interface UploadFormProps {
  projectId: string;
  workers: Workers | undefined;
  /** The project's codebook marks spans. */
  hasSpans: boolean;
  onBegun: (job: ImportJob) => void;
}

export function UploadForm({ projectId, workers, hasSpans, onBegun }: UploadFormProps) {
  const [file, setFile] = useState<File | null>(null);
  const form = useKept<Partial<Settings>>(`import.${projectId}`, {});
  const settings = { ...usualSettings(hasSpans), ...form.value };
  useAskBeforeLeaving(file && `The file ${file.name} is chosen and not imported yet.`);
  const [missing, setMissing] = useState(false);
  const send = useSend(projectId);
  // Nothing is queued where nobody would take it up.
  const whyNot = workers && lightWorkerAway(workers, "does the imports", "import");
  const whyId = useId();
  const { preview, error: unseen, isCurrent } = usePreview(projectId, file, settings);
  const refused = send.error ?? unseen;
  const errors = isApiError(refused) ? refused.fields : {};
  const change = (part: Partial<Settings>) => {
    send.reset();
    form.set((before) => ({ ...before, ...part }));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setMissing(!file);
    if (file && !whyNot && !send.isPending)
      send.mutate(importForm(file, settings), {
        onSuccess: (job) => {
          setFile(null);
          onBegun(job);
        },
        onSettled: form.saved,
      });
  };
  return (
    <form className="card stack import-form" onSubmit={submit} noValidate aria-label="Import a file">
      <h2>Import a file</h2>
      <KeptNotice form={form} what="the settings of an import" />
      <FilePicker
        isOne
        files={file ? [file] : []}
        hint={ACCEPTED}
        errors={missing && !file ? ["Choose a file first."] : errors.file}
        onFiles={([chosen = null]) => {
          send.reset();
          setFile(chosen);
          // Another file has sheets and columns of its own.
          if (
            settings.sheet ||
            [settings.columns, settings.categories].some((each) => Object.keys(each).length > 0)
          )
            change({ sheet: "", columns: {}, categories: {} });
        }}
      />
      {file ? (
        <Preview
          fileName={file.name}
          {...{ preview, settings, errors, change, isCurrent }}
          error={Object.keys(errors).length > 0 ? null : unseen}
        />
      ) : (
        <LineHelp />
      )}
      <SettingsFields settings={settings} errors={errors} change={change} />
      {send.isPending && <Sending sent={send.sent} total={send.total} stop={send.stop} />}
      <Refusal error={send.error} placed={(field) => FIELDS.includes(field)} />
      {whyNot && (
        <p className="notice bad" id={whyId} role="alert">
          {whyNot}
        </p>
      )}
      <div className={file ? "row import-act" : "row"}>
        <button
          type="submit"
          className="button primary"
          disabled={send.isPending || (isCurrent && preview?.imports === false)}
          aria-disabled={Boolean(whyNot) || undefined}
          aria-describedby={whyNot ? whyId : undefined}
        >
          {isCurrent && preview ? importWords(preview) : "Import"}
        </button>
      </div>
    </form>
  );
}

function importWords({ imports, whole, estimated, report }: ImportPreview): string {
  if (!imports) return "Nothing to import";
  if (!whole) return "Import the whole file";
  return `Import ${estimated ? "about " : ""}${counted(report.items, "item")}`;
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
    onSuccess: (job) => {
      const list = importsQuery(projectId).queryKey;
      client.setQueryData(list, (before = []) => [job, ...before.filter(({ id }) => id !== job.id)]);
      return client.invalidateQueries({ queryKey: list });
    },
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
